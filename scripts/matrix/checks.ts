import { availableParallelism } from 'node:os'

/** Something that is to hold. */
export interface Check {
  readonly name: string
  /** Gives what is worth to know beside; throws where it does not hold. */
  run(): Promise<string | undefined>
}

/** Lets as many tasks run at a time as there are processors; the others wait, in order. */
export class Slots {
  readonly #waiting: (() => void)[] = []
  #free = availableParallelism()

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

/** Makes a check of something that names what is wrong. */
export function nothingWrong(name: string, find: () => Promise<readonly string[]>): Check {
  return {
    name,
    async run() {
      const wrong = await find()
      if (wrong.length > 0) throw new Error(wrong.join('\n'))
      return undefined
    },
  }
}

/** Runs checks, prints a line for each in their order, and gives how many failed. */
export async function report(checks: readonly Check[]): Promise<number> {
  let failed = 0
  // All at once, since they wait for what they need by themselves.
  const lines = checks.map(async ({ name, run }) => {
    try {
      const note = await run()
      return `passed  ${name}${note === undefined ? '' : ` (${note})`}\n`
    } catch (error) {
      failed += 1
      const message = error instanceof Error ? error.message : String(error)
      return `failed  ${name}\n${message.replace(/^/gm, '        ')}\n`
    }
  })
  for (const line of lines) process.stdout.write(await line)
  process.stdout.write(`${checks.length - failed} passed, ${failed} failed\n`)
  return failed
}
