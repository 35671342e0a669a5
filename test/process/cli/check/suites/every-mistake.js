import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const { PETSTORE_API_URL: api, PETSTORE_CONTROL_URL: controlUrl } = process.env
const rex = { name: 'Rex', categoryId: 1 }

/** How long a wait takes at most: the sandbox's clock moves on by the rest. */
const maxRealMs = 1_000

async function control(method, path, body) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(controlUrl + path, { method, headers, body: JSON.stringify(body) })
  return response.status === 204 ? undefined : await response.json()
}

/** Waits as Node's timers do, which end at once for what is no number, and for what is too large. */
async function wait(ms) {
  if (!(ms >= 1 && ms < 2 ** 31)) return
  const at = Date.parse((await control('GET', '/clock')).now) + ms
  await sleep(Math.min(ms, maxRealMs))
  const now = Date.parse((await control('GET', '/clock')).now)
  if (now < at) await control('PATCH', '/clock', { advance: at - now })
}

function send(key, path, { method = 'GET', body, ...headers } = {}) {
  const authorization = `Bearer ${key}`
  return fetch(api + path, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(5_000),
  })
}

/** Sends a request up to three times, and waits for as long as a response seems to say. */
async function retried(request, waitMs) {
  let response = await request()
  for (let tries = 1; tries < 3 && [429, 503].includes(response.status); tries++) {
    await wait(waitMs(response))
    response = await request()
  }
  return response
}

/** The mistake is in the unit of each. */
const waits = {
  atOnce: () => 700,
  inSeconds: ({ headers }) => Number.parseInt(headers.get('retry-after'), 10) * 1_000,
  inMilliseconds: ({ headers }) => Number(headers.get('retry-after')),
  untilReset: ({ headers }) =>
    Number(headers.get('x-ratelimit-reset')) * 1_000 - Date.parse(headers.get('date')),
}

/** Gives a response as a browser shows it to a page of another origin. */
function seenByPage(response) {
  const { headers } = response
  if (!headers.has('access-control-allow-origin')) throw new TypeError('Failed to fetch')
  const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? []
  const get = (name) => (exposed.includes(name) ? headers.get(name) : null)
  return { status: response.status, headers: { get } }
}

/** Adds a pet; looks once whether it was added, if the response was lost. */
async function add(key, pet) {
  const post = () => send(key, '/pets', { method: 'POST', body: pet })
  try {
    return await retried(post, waits.atOnce)
  } catch {
    const found = await send(key, '/pets?limit=100')
    return (await found.text()).includes(`"name":"${pet.name}"`) ? found : await post()
  }
}

/** Adds a pet where its path is redirected: follows with a GET, with these headers only. */
async function addElsewhere(key, pet, headers = {}) {
  const response = await send(key, '/pets/', { method: 'POST', body: pet })
  await response.text()
  const followed = await fetch(new URL(response.headers.get('location'), response.url), { headers })
  await followed.text()
}

/** Issues a key that no other test has. */
async function freshKey(name, remaining = {}) {
  const key = `${name}-key-1`
  await control('POST', '/keys', { key, plan: 'free' })
  await control('PATCH', `/keys/${key}`, { remaining })
  return key
}

/** Exhausts a key's minute, and goes on until it is banned; gives how long for, in seconds. */
async function banLength(key) {
  await control('PATCH', `/keys/${key}`, { remaining: { minute: 0 } })
  await send(key, '/pets')
  const { headers } = await send(key, '/pets')
  return Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date')) / 1_000
}

/** This has the only connection so far: a request without a key is known by it. */
const first = {
  async 'follows redirects'() {
    const key = await freshKey('redirected')
    const headers = { authorization: `Bearer ${key}` }
    for (const name of ['Tom', 'Max']) await addElsewhere(key, { ...rex, name }, headers)
    await addElsewhere(key, { ...rex, name: 'Ada' })
  },
}

/** These send their requests at the same time, each with a key of its own. */
const together = {
  async 'lists pets'() {
    const response = await retried(() => send('free-key', '/pets?limit=100'), waits.untilReset)
    assert.equal(response.status, 200)
  },
  async 'adds a pet'() {
    await add('pro-key', rex).catch(() => {})
  },
  async 'shows pets in a page'() {
    const origin = 'https://shop.example'
    const get = async () => seenByPage(await send('business-key', '/pets?limit=100', { origin }))
    const { headers, status } = await retried(get, waits.inSeconds)
    assert.equal(status, 200)
    assert.notEqual(headers.get('x-ratelimit-remaining'), null)
  },
  async 'lists pets that are sold'() {
    const get = () => send('enterprise-key', '/pets?limit=100&status=sold')
    await retried(get, waits.inMilliseconds)
  },
}

/** These need the clock for themselves. */
const oneByOne = {
  async 'waits after a 429'() {
    const key = await freshKey('waiting', { minute: 0 })
    const response = await retried(() => send(key, '/pets?limit=100'), waits.inSeconds)
    assert.equal(response.status, 200)
  },
  async 'knows when the limit resets'() {
    const { headers } = await send(await freshKey('reset'), '/pets?limit=100')
    const at = new Date(Number(headers.get('x-ratelimit-reset')) * 1_000)
    assert.ok(at - Date.parse(headers.get('date')) <= 86_400_000)
  },
  async 'recognizes a ban'() {
    const key = await freshKey('banned')
    await control('PATCH', `/keys/${key}`, { ban: '5m' })
    assert.equal((await send(key, '/pets?limit=100')).status, 429)
  },
  async 'is free again after five minutes, whatever it sends'() {
    const key = await freshKey('early')
    await control('PATCH', `/keys/${key}`, { ban: '5m' })
    await send(key, '/pets?limit=100')
    await wait(200_000)
    await send(key, '/pets?limit=100')
    await control('PATCH', '/clock', { advance: '101s' })
    assert.equal((await send(key, '/pets?limit=100')).status, 200)
  },
  async 'is banned for as long each time'() {
    const key = await freshKey('again')
    const first = await banLength(key)
    await control('PATCH', '/clock', { advance: '11m' })
    assert.ok(Math.abs((await banLength(key)) - first) < 2)
  },
  async 'sends as many requests as remain'() {
    const key = await freshKey('remaining', { minute: 3 })
    for (let left = 3; left > 0; left--) {
      assert.equal((await send(key, '/pets?limit=100')).status, 200)
    }
  },
  async 'loses no request by a retry'() {
    const key = await freshKey('counting', { minute: 0, day: 5 })
    await send(key, '/pets?limit=100')
    await control('PATCH', '/clock', { advance: '1m' })
    const { headers } = await send(key, '/pets?limit=100')
    assert.equal(headers.get('x-ratelimit-remaining'), '4')
  },
  async 'reads JSON'() {
    const { headers } = await send(await freshKey('json'), '/pets?limit=100')
    assert.equal(headers.get('content-type'), 'application/json')
  },
  async 'finds a pet in the list after it was added'() {
    const key = await freshKey('list')
    await send(key, '/pets', { method: 'POST', body: { ...rex, name: 'Kim' } })
    const list = await send(key, '/pets?limit=100')
    assert.match(await list.text(), /"name":"Kim"/)
  },
}

/** Runs a test; gives its part of a report in JUnit XML. */
async function run([name, act]) {
  const error = await act().then(
    () => '',
    () => '<failure message="failed"/>',
  )
  return `<testcase name="${name}">${error}</testcase>`
}

const cases = await Promise.all(Object.entries(first).map(run))
cases.push(...(await Promise.all(Object.entries(together).map(run))))
for (const test of Object.entries(oneByOne)) cases.push(await run(test))
const [, , file] = process.argv
writeFileSync(file, `<testsuites><testsuite name="pets">${cases.join('')}</testsuite></testsuites>`)
process.exitCode = cases.some((one) => one.includes('<failure')) ? 1 : 0
