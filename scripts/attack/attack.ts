import type { Target } from './target.ts'

/** Something that used to bring a server down, or could. */
export interface Attack {
  /** Which part it goes for, and how. */
  readonly name: string
  /** The options that the server is started with, given a folder for files that they name. */
  readonly options?: readonly string[] | ((folder: string) => readonly string[])
  /**
   * Does it; what isn't answered as it should be is an error.
   *
   * @param times How many times as much as the short form.
   * @param folder That of the options.
   */
  readonly run: (target: Target, times: number, folder: string) => Promise<void>
}

/** Does something a number of times, some of them at once. */
export async function repeat(
  count: number,
  act: (index: number) => Promise<unknown>,
  atOnce = 8,
): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** @throws Error unless it is as expected. */
export function expect(isAsExpected: boolean, otherwise: string): void {
  if (!isAsExpected) throw new Error(otherwise)
}

/** Fills the journal with as many and as large exchanges as it keeps. */
export async function fillJournal(target: Target, count: number): Promise<void> {
  const body = JSON.stringify({ name: 'x'.repeat(900), categoryId: 1, x: 'y'.repeat(55_000) })
  await repeat(count, () => target.ask('POST', '/v1/pets', body))
}
