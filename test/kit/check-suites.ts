import type { Outcome } from '../../src/mock/api/message.ts'
import { startAt } from './frozen-sandbox.ts'
import { turn } from './rudenesses.ts'
import type { Suite, World } from './run-condition.ts'
import type { TestRequest } from './send.ts'

/** How long a client waits at most because it is told to, in milliseconds. */
const patienceMs = 5_000

/** How long the first pause before another try is, in milliseconds. */
const firstPauseMs = 300

/** Sends a request as a client with good manners. */
async function sendPolitely(world: World, request: TestRequest, tries = 3): Promise<string> {
  const outcome = await world.send(request)
  const isSafe = request.json === undefined
  if ('status' in outcome && outcome.kind === 'response' && outcome.status < 300) {
    JSON.parse(outcome.body)
    return outcome.body
  }
  const waitMs = tries === 0 ? undefined : politeWait(outcome, isSafe, 3 - tries)
  if (waitMs === undefined) throw new Error('Cannot go on')
  await world.sleep(waitMs)
  return await sendPolitely(world, request, tries - 1)
}

function politeWait(outcome: Outcome, isSafe: boolean, tried: number): number | undefined {
  const status = 'status' in outcome ? outcome.status : 500
  if ('headers' in outcome && outcome.headers['retry-after'] !== undefined) {
    const waitMs = Number(outcome.headers['retry-after']) * 1_000
    return waitMs <= patienceMs ? waitMs : undefined
  }
  return status >= 500 && isSafe ? firstPauseMs * 2 ** tried : undefined
}

/** Sends a request again whatever has gone wrong, always after the same short pause. */
async function sendRudely(world: World, request: TestRequest): Promise<string> {
  for (let tries = 0; tries < 6; tries++) {
    const outcome = await world.send(request)
    const body = outcome.kind === 'response' && outcome.status < 300 ? outcome.body : ''
    if (isJson(body)) return body
    await world.sleep(firstPauseMs)
  }
  throw new Error('Cannot go on')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const rex: TestRequest = { json: '{"name":"Rex","categoryId":1}' }

/** A suite of a client with good manners, which reads ids digit for digit and calls nothing that is deprecated. */
export const politeSuite: Suite = async (world) => {
  const body = await sendPolitely(world, rex)
  const [, id = ''] = /"id":(\d+)/.exec(body) ?? []
  const list = await sendPolitely(world, { url: '/v1/pets?limit=100' })
  if (!list.includes(`"id":${id},`)) throw new Error('Cannot find the pet')
}

/** A suite of twelve tests, each of which ends at the first rejection, and knows nothing of the others. */
export const hastySuite: Suite = async (world) => {
  const outcomes: Outcome[] = []
  for (let test = 0; test < 12; test++) {
    outcomes.push(await world.send({}))
    await world.sleep(firstPauseMs)
  }
  if (outcomes.some((one) => one.kind !== 'response' || one.status >= 300)) throw new Error('Red')
}

const sunsetSoonMs = 2 * 86_400_000

/** A suite that fails if a response takes more than half a second, or if a pet's operation is removed within two days. */
export const anxiousSuite: Suite = async (world) => {
  const dates: number[] = []
  for (const request of [{}, {}, { url: '/v1/pets/1' }]) {
    const outcome = await world.send(request)
    const headers = 'headers' in outcome ? outcome.headers : {}
    const date = Date.parse(headers.date ?? '')
    dates.push(date)
    if (Date.parse(headers.sunset ?? '') - date < sunsetSoonMs) throw new Error('Soon removed')
  }
  if ((dates.at(-1) ?? 0) - (dates[0] ?? 0) > 500) throw new Error('Too slow')
}

/** A suite of a client with bad manners, which reads ids as numbers. */
export const rudeSuite: Suite = async (world) => {
  await sendRudely(world, {})
  const { id } = JSON.parse(await sendRudely(world, rex))
  await sendRudely(world, { url: `/v1/pets/${id}` })
}

/** A suite of a client that looks once for a pet before it adds it again. */
export const lookingOnce: Suite = async (world) => {
  const outcome = await world.send(rex)
  if (outcome.kind === 'response') return
  await world.sleep(firstPauseMs)
  const list = await sendPolitely(world, { url: '/v1/pets?limit=100' })
  if (!list.includes('"name":"Rex"')) await sendPolitely(world, rex)
}

/** Time of the client's own clock where a minute is exhausted: two seconds before its end, at noon. */
const ownNow = startAt + 43_200_000 + 58_000

/** A suite of a client that waits until `X-RateLimit-Reset`, by its own clock. */
export const resetSuite: Suite = async (world) => {
  const outcome = await world.send({})
  if (outcome.kind !== 'response' || outcome.status !== 429) return
  await turn()
  const waitMs = Number(outcome.headers['x-ratelimit-reset']) * 1_000 - ownNow
  await world.sleep(Math.max(0, waitMs))
  await world.send({})
}
