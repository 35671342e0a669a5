/** How often to check that the parent is alive. */
const pollEveryMs = 500

/** The names under which npm runs this program without passing signals on. */
const runByNpm: readonly (string | undefined)[] = ['start', 'npx']

/**
 * Resolves when the parent process ends, if it is `npm start` or `npx`: the shell in between doesn't pass signals
 * on.
 *
 * @param readParent Returns the parent's id, which changes when the parent ends.
 */
export function parentGone(
  environment: NodeJS.ProcessEnv,
  readParent: () => number = () => process.ppid,
): Promise<void> {
  return new Promise((resolve) => {
    if (!runByNpm.includes(environment.npm_lifecycle_event)) return
    const parent = readParent()
    const timer = setInterval(() => {
      if (readParent() === parent) return
      clearInterval(timer)
      resolve()
    }, pollEveryMs)
    timer.unref()
  })
}
