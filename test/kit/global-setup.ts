/** Makes what `npm test` makes before it runs, but for the build, so that Vitest alone will do. */
export async function setup(): Promise<void> {
  await import('../../scripts/link-package.ts')
}
