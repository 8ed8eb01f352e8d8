// The token of the link, and requests with it.

// Returns whether the part of the address after # is a token. A permalink (#n=57) is not.
export const isToken = (given) => Boolean(given) && !given.includes("=");

const TOKEN_KEY = "gamelog.token";

// Keeps the token for this tab, and for this entry of its history, so that Back and Forward open each record with its own link. With null, forgets it.
export function keepToken(token) {
  if (token) sessionStorage.setItem(TOKEN_KEY, token);
  else sessionStorage.removeItem(TOKEN_KEY);
  history.replaceState(token && { token }, "", isToken(location.hash.slice(1)) ? location.pathname : location.href);
}

// Returns the link's token. It is removed from the address.
export function linkToken() {
  const given = location.hash.slice(1), token = isToken(given) ? given : history.state?.token ?? sessionStorage.getItem(TOKEN_KEY);
  if (token) keepToken(token);
  return token;
}

// Sends a request with a token: POST if it has a body, otherwise GET.
export function request(token, path, body, signal) {
  return fetch(path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: "Bearer " + token, "Accept-Language": document.documentElement.lang, ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  });
}

// The request for the records, which begins before the script of the page. Both scripts know it by this name.
const RECORDS = "gamelogRecords";

export function askForRecords() {
  const token = linkToken();
  if (!token) return;
  window[RECORDS] = request(token, "/api/records");
  window[RECORDS].catch(() => null); // the script of the page reports a failure
}

// Returns the answer to the request for the records.
export const recordsAnswer = () => window[RECORDS];
