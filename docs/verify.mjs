// Verify Gamelog records: node verify.mjs FILE... prints the status, the first bad event or the head.
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const LF = 10, GENESIS = 'A'.repeat(43), MAX_LINE = 2 ** 20, MAX_DEPTH = 64
const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Return the digest that a line with `body` carries after a line with the digest `previous`. */
const link = (previous, body) =>
  createHash('sha256').update(`gamelog/1\n${previous}`).update(body).digest('base64url')

/** Return whether `line` is the next line after the digest `previous`. */
const follows = (previous, line) =>
  line.length <= MAX_LINE && line.at(-1) === LF &&
  line.subarray(0, 51).equals(Buffer.from(`{"h":"${link(previous, line.subarray(51))}",`))

/** Throw an error if two readers of this JSON could read different values. */
function checkJson(json) {
  const open = []
  for (const [token, , integer] of json.matchAll(/"((?:[^"\\]|\\.)*)"|(-?\d+(?![\d.eE]))|-?\d[\d.eE+-]*|[{}[\],:]/g)) {
    if (token === '{' || token === '[') open.push({ names: token === '{' ? new Set() : null, isName: true })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') open.at(-1).isName = true
    else if (token === ':') open.at(-1).isName = false
    else if (token[0] === '"') {
      const value = JSON.parse(token), { names, isName } = open.at(-1)
      if (!value.isWellFormed()) throw Error('half of a surrogate pair')
      if (names && isName && names.size === names.add(value).size) throw Error(`${value} is listed twice`)
    } else if (integer ? !Number.isSafeInteger(Number(token)) : !Number.isFinite(Number(token))) throw Error('a number is too large')
    if (open.length > MAX_DEPTH) throw Error('too many nested values')
  }
}

/** Return the members of the line with this body. */
function membersOf(body) {
  const json = '{' + text.decode(body)
  if (json.includes('\r')) throw Error('a carriage return')
  const members = JSON.parse(json)
  checkJson(json)
  if ('h' in members) throw Error('a second digest')
  return members
}

/** Return whether the signature in an `@sign` event covers everything before the event. */
function isSigned(header, event, head) {
  const [, name, id, base64] = /^([^+]*)\+([^+]*)\+(.*)$/.exec(event.key)
  const data = Buffer.from(base64, 'base64'), signature = Buffer.from(event.sig, 'base64')
  const keyId = createHash('sha256').update(`${name}\n`).update(data).digest().subarray(0, 4)
  const time = new Date(Date.parse(header.started) + event.t).toISOString()
  const note = `gamelog/1 ${header.id}\n${event.n - 1}\n${head}\nseat ${event.seat}\ntime ${time}\nkey ${event.key}\n`
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: data.subarray(1).toString('base64url') } })
  return data[0] === 1 && keyId.toString('hex') === id && keyId.equals(signature.subarray(0, 4)) &&
    verify(null, Buffer.from(note), key, signature.subarray(4))
}

/** Return the status of a record, with `n` of the first bad event (0: the header) or the last head. */
export function verifyRecord(bytes) {
  let head = GENESIS, start = 0, n = 0, time = 0, header
  for (; start < bytes.length; n++) {
    const end = bytes.indexOf(LF, start) + 1 || bytes.length, line = bytes.subarray(start, end)
    if (line.at(-1) !== LF) return { status: n || line.subarray(0, 6).toString() === '{"h":"' ? 'torn' : 'damaged', n }
    try {
      if (!follows(head, line)) throw Error('the line does not follow')
      const members = membersOf(line.subarray(51))
      if (n === 0) header = members
      else if (members.n !== n || !Number.isSafeInteger(members.t) || members.t < time) throw Error('wrong n or t')
      else if (members.do === '@sign' && !isSigned(header, members, head)) throw Error('forged')
      time = members.t ?? 0
    } catch { return { status: 'damaged', n } }
    head = line.subarray(6, 49).toString()
    start = end
  }
  return n ? { status: 'whole', n: n - 1, head } : { status: 'torn', n: 0 }
}

for (const file of process.argv.slice(2)) console.log(JSON.stringify({ file, ...verifyRecord(readFileSync(file)) }))
