// The token of the link, and requests with it.

// Returns whether the part of the address after # is a token. A permalink (#n=57) is not.
export const isToken = (given) => Boolean(given) && !given.includes("=");

// Returns the link's token. It is removed from the address and the history, and this tab keeps it.
export function linkToken() {
  const given = location.hash.slice(1);
  if (isToken(given)) {
    sessionStorage.setItem("gamelog.token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("gamelog.token");
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
