// A month of one client, in seconds: node month.js ./rude-session.js
import { mock } from 'node:test'

const hour = 3_600_000
const day = 24 * hour
const start = Date.parse('2030-11-20T00:00:00Z')
const sessionEvery = hour / 4

// Faked before the package is loaded, so that the sandbox follows.
mock.timers.enable({ apis: ['setTimeout', 'Date'], now: start })
const { createSandbox } = await import('petstore-sandbox')
const { createFetchHandler } = await import('petstore-sandbox/fetch')

// All requests of the month are kept: by default the log has the latest 1,000, and what a client did on day 9 is gone.
const sandbox = createSandbox({ maxRequests: 100_000 })
const respond = createFetchHandler(sandbox)
let open = 0
globalThis.fetch = async (url, init) => {
  open++
  return await respond(new Request(url, init)).finally(() => open--)
}

// The weather of the month, by the sandbox's clock.
const { faults } = sandbox
faults.add({
  fault: 'status',
  status: 503,
  retryAfter: '60s',
  at: '2030-11-22T12:00:00Z',
  for: '1h',
})
faults.add({
  fault: 'status',
  status: 500,
  probability: 0.2,
  at: '2030-11-25T00:00:00Z',
  for: '1d',
})
faults.add({ fault: 'latency', ms: '2s-5s', at: '18:00', for: '2h', every: '1d' })
faults.add({
  fault: 'disconnect',
  operation: 'createPet',
  probability: 0.3,
  at: '2030-11-29T00:00:00Z',
  for: '1d',
})

const { session } = await import(process.argv[2] ?? './rude-session.js')
const failures = []
let running = 0

async function run() {
  running++
  const at = new Date().toISOString()
  await session({ apiUrl: 'http://pets.test/v1', apiKey: 'free-key' })
    .catch((error) => failures.push(`${at} ${error.message}`))
    .finally(() => running--)
}

// Time moves only while all wait for it: a request that is open finishes first, unless a fault delays it.
const settle = async () => {
  for (let turn = 0; turn < 5 || (open > 0 && turn < 50); turn++) await new Promise(setImmediate)
}
// One session after the other, since a timer of more than 24.8 days fires at once.
for (let at = start; at < start + 30 * day; at += sessionEvery) {
  if (Date.now() < at) mock.timers.tick(at - Date.now())
  void run()
  await settle()
  while (running > 0 && Date.now() < at + sessionEvery) {
    mock.timers.tick(500)
    await settle()
  }
}

const print = (text) => process.stdout.write(`${text}\n`)
const atOf = ({ requests }) => sandbox.requests.get(requests[0]).at
const findings = (await sandbox.findings()).filter(({ severity }) => severity !== 'info')
print(`${sandbox.requests.list().length} requests until ${new Date().toISOString()}`)
print(
  `${failures.length} sessions failed${failures.length > 0 ? `, the first at ${failures[0]}` : ''}`,
)
for (const rule of new Set(findings.map((one) => one.rule))) {
  const all = findings.filter((one) => one.rule === rule)
  const [first] = all.toSorted((one, other) => (atOf(one) < atOf(other) ? -1 : 1))
  print(`${first.severity} ${rule} (${all.length}), first at ${atOf(first)}: ${first.message}`)
}
const [bad] = findings
  .filter(({ severity }) => severity === 'error')
  .map(atOf)
  .toSorted()
print(bad === undefined ? 'No bad instant' : `The first bad instant is ${bad}`)
process.exit(bad === undefined ? 0 : 4)
