import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { staleReason } from '../build/stale-reason.ts'
import { http } from './http.ts'
import { type Benchmark, formatReport, isMet } from './report.ts'
import { startup } from './startup.ts'

const benchmarks: readonly Benchmark[] = [http, startup]

const usage = `Usage: node bench/run.ts [benchmark...] [--rounds N] [--node PATH]

${benchmarks.map(({ name, rounds, round }) => `  ${name.padEnd(10)}${rounds} rounds, each ${round}`).join('\n')}
`

// Ends by an exit, so that the servers that were started end too.
process.once('SIGINT', () => process.exit(130))
process.once('SIGTERM', () => process.exit(143))
await main()

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      node: { type: 'string', default: process.execPath },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    write(usage)
    return
  }
  const chosen = positionals.length === 0 ? benchmarks : positionals.map(findBenchmark)
  const rounds = values.rounds === undefined ? undefined : parseRounds(values.rounds)
  const stale = staleReason()
  if (stale !== undefined) throw new Error(`Cannot measure: ${stale}; run npm run build`)
  const [load = 0] = loadavg()
  write(
    `Node ${process.version}, ${process.platform}, ${availableParallelism()} cores, load ${load.toFixed(1)} before\n`,
  )
  for (const benchmark of chosen) {
    const report = await benchmark.run({
      rounds: rounds ?? benchmark.rounds,
      node: values.node,
    })
    write(`\n${formatReport(report)}\n`)
    if (!report.targets.every(isMet)) process.exitCode = 1
  }
}

function findBenchmark(name: string): Benchmark {
  const found = benchmarks.find((benchmark) => benchmark.name === name)
  if (found !== undefined) return found
  throw new RangeError(
    `Cannot run ${name}: use ${benchmarks.map((benchmark) => benchmark.name).join(', ')}`,
  )
}

function parseRounds(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new RangeError(`Cannot run ${text} rounds: use a whole number from 1 to 9999`)
}

function write(text: string): void {
  process.stdout.write(text)
}
