import type { Report } from '../report.ts'

/** What the command line says. */
export interface BenchOptions {
  readonly rounds: number
  /** Path of the Node that `startup`, `tail`, `log` and `scale` start. */
  readonly node: string
}

/** One thing that is measured. */
export interface Benchmark {
  readonly name: string
  /** What a round is, and how many there are unless the command line says otherwise. */
  readonly round: string
  readonly rounds: number
  run(options: BenchOptions): Promise<Report>
}
