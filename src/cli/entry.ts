/**
 * Runs the command line.
 *
 * Loads it as a chunk: Vite puts what an entry and its own chunks share into many small files, each of which takes a
 * start half a millisecond, but leaves it in a chunk (decisions/002-one-bundle-for-the-process.md).
 */
export async function main(argv: readonly string[]): Promise<void> {
  const program = await import('./main.ts')
  await program.main(argv)
}
