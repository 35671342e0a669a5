import { startProcess } from '../child.ts'
import { send } from '../exchange.ts'
import type { Report } from '../report.ts'
import { listPets } from '../requests.ts'
import { sandboxCommandWith } from '../sandbox-command.ts'
import { median } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const count = 1_000
const most = 100

/** What a thousand named sandboxes that were each asked once keep in main memory. */
export const named: Benchmark = {
  name: 'named',
  round: `${count} named sandboxes in a new process, each asked once`,
  rounds: 3,
  async run({ rounds, node }: BenchOptions): Promise<Report> {
    const found: { readonly before: number; readonly after: number }[] = []
    for (let round = 0; round < rounds; round++) found.push(await keepMany(node))
    const added = median(found.map(({ before, after }) => after - before))
    return {
      title: `named: ${rounds} rounds on ${node}`,
      table: [
        ['main memory', 'MB'],
        ['the process with its default sandbox', median(found.map((one) => one.before)).toFixed(0)],
        [`with ${count} named ones`, median(found.map((one) => one.after)).toFixed(0)],
      ],
      // Only Linux tells it.
      targets: Number.isNaN(added)
        ? []
        : [{ name: `MB for ${count} sandboxes`, value: added, bound: 'at most', limit: most }],
    }
  },
}

async function keepMany(
  node: string,
): Promise<{ readonly before: number; readonly after: number }> {
  const server = await startProcess({
    ...sandboxCommandWith('--log', 'silent', '--auto-create'),
    node,
  })
  try {
    const before = server.rssBytes() / 1e6
    for (let index = 0; index < count; index++) {
      await expectStatus(
        send(server.port, { ...listPets, url: `/sandboxes/s${index}/v1/pets` }),
        200,
      )
    }
    return { before, after: server.rssBytes() / 1e6 }
  } finally {
    await server.stop()
  }
}

async function expectStatus(asked: ReturnType<typeof send>, status: number): Promise<void> {
  const found = await asked
  if (found.status !== status) throw new Error(`Cannot go on: found ${found.status}: ${found.body}`)
}
