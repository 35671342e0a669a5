import fc from 'fast-check'
import { describe, inject, it } from 'vitest'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { httpAdapters, overHttp, overPool, settlingTime } from '../../../kit/client-adapters.ts'
import { draws } from '../../../kit/draws.ts'
import { frozenSandbox, startAt } from '../../../kit/frozen-sandbox.ts'
import type { ClientTime } from '../../../kit/polite-client.ts'
import {
  anyScene,
  expectNoComplaint,
  optionsOf,
  play,
  type Scene,
  sharedKey,
} from '../../../kit/polite-scenes.ts'
import { requestOf } from '../../../kit/send.ts'
import { metIn, Sometimes } from '../../../kit/sometimes.ts'

/** Number of scenes that are played at the same time: what they do most is wait. */
const scenesAtOnce = 24

/** Number of scenes for each clock, way and adapter. */
const runs = draws(4)

/** How many tasks a scene has at most. */
const tasks = 12

/** How much faster the fast clock runs. */
const speed = 100

/** The clocks of a scene, and how its clients wait. */
const clocks: Readonly<
  Record<string, (scene: Scene) => { readonly sandbox: Sandbox; readonly time: ClientTime }>
> = {
  'by the clock that they move'(scene) {
    const sandbox = frozenSandbox(optionsOf(scene))
    return { sandbox, time: settlingTime(sandbox) }
  },
  'on a clock that runs fast'(scene) {
    const gaps = { ...scene.gaps, banDuration: 50_000 }
    const options = optionsOf({ ...scene, gaps, limit: scene.limit + 40 })
    const clock = { now: startAt, mode: 'scaled', speed } as const
    const sandbox = frozenSandbox({ ...options, clock })
    const time: ClientTime = {
      now: () => sandbox.clock.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms / speed))),
    }
    return { sandbox, time }
  },
}

/** Where the requests of a scene go. */
interface Way {
  readonly scene: Scene
  readonly sandbox: Sandbox
  readonly port: number
  readonly time: ClientTime
}

/** How a client plays a scene over HTTP. */
const ways: Readonly<Record<string, (way: Way) => Promise<void>>> = {
  async 'connections of its own'({ scene, sandbox, port, time }) {
    if (scene.isOneKey) await meet(sandbox)
    // A burst through a single connection looks like retries without a pause.
    const least = scene.manner === 'one by one' ? 1 : 2
    const stage = overHttp(port, time, Math.max(scene.connections, least))
    await play(scene, sandbox, stage)
    stage.close()
  },
  // Each answer may come over another connection than the one before.
  async "the pool of Node's fetch"({ scene, sandbox, port, time }) {
    await play(scene, sandbox, overPool(port, time))
  },
}

/** Has two workers of a key send at the same time: those that never do are one client, as far as anybody can tell. */
async function meet(sandbox: Sandbox): Promise<void> {
  const arrivals = [1_001, 1_002].map((connection) => sandbox.arrivals.arrive('server', connection))
  const request = requestOf({ key: sharedKey })
  await Promise.all(arrivals.map((arrived) => sandbox.handle(request, undefined, arrived)))
}

const seed = inject('testSeed')

describe.concurrent.each(Object.keys(httpAdapters))(
  'a polite client through %s',
  { timeout: 900_000 },
  (adapter) => {
    it.each(Object.keys(clocks).flatMap((clock) => Object.keys(ways).map((by) => ({ clock, by }))))(
      'gets no error and no warning, waiting $clock, by $by',
      async ({ clock, by }) => {
        const [serve, create, playBy] = [httpAdapters[adapter], clocks[clock], ways[by]]
        if (!serve || !create || !playBy) throw new TypeError('Cannot play: no adapter')
        const sometimes = new Sometimes('an error', 'a cut body')
        const playOne = async (whole: Scene): Promise<void> => {
          const scene = { ...whole, hasFaults: true, tasks: whole.tasks.slice(0, tasks) }
          const { sandbox, time } = create(scene)
          const served = await serve(sandbox)
          await sandbox.findings()
          await playBy({ scene, sandbox, port: served.port, time })
          await served.close()
          await expectNoComplaint(
            sandbox,
            { seed, scene },
            scene.isOneKey ? {} : { oneClient: true },
          )
          sometimes.meet(metIn(sandbox))
        }
        const left = fc.sample(anyScene, { numRuns: runs, seed })
        // However busy the machine is, none is played again.
        while (left.length > 0) await Promise.all(left.splice(0, scenesAtOnce).map(playOne))
        sometimes.expectAllMet()
      },
    )
  },
)
