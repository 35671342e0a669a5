import fc from 'fast-check'
import { describe, inject, it } from 'vitest'
import type { Sandbox } from '../../src/sandbox.ts'
import { overHttp, overPool, playSteadily, settled, type Timed } from '../kit/client-doors.ts'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { httpDoors, type Served } from '../kit/http-doors.ts'
import { type ClientTime, movedTime } from '../kit/polite-client.ts'
import {
  anyScene,
  expectNoComplaint,
  optionsOf,
  play,
  type Scene,
  sharedKey,
} from '../kit/polite-scenes.ts'
import { requestOf } from '../kit/send.ts'

/** How many scenes are played at the same time: what they do most is wait. */
const scenes = 24

/** How many tasks a scene has at most. */
const tasks = 12

/** How much faster the fast clock runs. */
const scale = 100

/** The clocks of a scene, and how its clients wait. */
const clocks: Readonly<
  Record<string, (scene: Scene) => { readonly sandbox: Sandbox; readonly time: ClientTime }>
> = {
  'by the clock that they move'(scene) {
    const sandbox = frozenSandbox(optionsOf(scene))
    const moved = movedTime(sandbox)
    const time: ClientTime = {
      ...moved,
      async sleep(ms) {
        await moved.sleep(ms)
        if (ms > 0) await settled()
      },
    }
    return { sandbox, time }
  },
  'on a clock that runs fast'(scene) {
    const gaps = { ...scene.gaps, banDuration: 50_000 }
    const options = optionsOf({ ...scene, gaps, limit: scene.limit + 40 })
    const clock = { now: startAt, mode: 'scaled', scale } as const
    const sandbox = frozenSandbox({ ...options, clock })
    const time: ClientTime = {
      now: () => sandbox.clock.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.ceil(ms / scale))),
    }
    return { sandbox, time }
  },
}

async function playOverHttp(
  scene: Scene,
  serve: (sandbox: Sandbox) => Promise<Served>,
  { sandbox, time }: { readonly sandbox: Sandbox; readonly time: ClientTime },
  timed: Timed,
): Promise<void> {
  const served = await serve(sandbox)
  await sandbox.audit()
  if (scene.isOneKey) await meet(sandbox)
  const stage = overHttp(served.port, time, scene.connections, timed)
  await play(scene, sandbox, stage)
  stage.close()
  await served.close()
}

/** The same by Node's `fetch`, each answer of which may come over another connection than the one before. */
async function playOverPool(
  scene: Scene,
  serve: (sandbox: Sandbox) => Promise<Served>,
  { sandbox, time }: { readonly sandbox: Sandbox; readonly time: ClientTime },
  timed: Timed,
): Promise<void> {
  const served = await serve(sandbox)
  await sandbox.audit()
  await play(scene, sandbox, overPool(served.port, time, timed))
  await served.close()
}

/** Has two workers of a key send at the same time: those that never do are one client, as far as anybody can tell. */
async function meet(sandbox: Sandbox): Promise<void> {
  const visits = [1_001, 1_002].map((connection) => sandbox.visit('process', connection))
  const request = requestOf({ key: sharedKey })
  await Promise.all(visits.map((visit) => sandbox.handle(request, undefined, visit)))
}

const seed = inject('testSeed')

describe.concurrent.each(Object.keys(httpDoors))(
  'a polite client through %s',
  {
    timeout: 300_000,
  },
  (door) => {
    it.each(
      Object.keys(clocks).flatMap((clock) => [
        { clock, by: 'connections of its own', playOver: playOverHttp },
        { clock, by: "the pool of Node's fetch", playOver: playOverPool },
      ]),
    )('gets no error and no warning, waiting $clock, by $by', async ({ clock, playOver }) => {
      const serve = httpDoors[door]
      const create = clocks[clock]
      if (serve === undefined || create === undefined) throw new TypeError('Cannot play: no door')
      const sample = fc.sample(anyScene, { numRuns: scenes, seed })
      await playSteadily(
        sample.map((whole) => async (timed) => {
          const scene = { ...whole, tasks: whole.tasks.slice(0, tasks) }
          const { sandbox, time } = create(scene)
          await playOver(scene, serve, { sandbox, time }, timed)
          await expectNoComplaint(sandbox, { seed, scene }, { oneClient: !scene.isOneKey })
        }),
      )
    })
  },
)
