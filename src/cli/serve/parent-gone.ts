/** How often it is looked whether the parent is still there. */
const lookEveryMs = 500

/** How npm names what it runs, where it ends without passing a signal on. */
const runByNpm: readonly (string | undefined)[] = ['start', 'npx']

/**
 * Resolves when the process that started this one has gone, if that was `npm start` or `npx`: the shell between
 * doesn't pass signals on, so this is how they arrive.
 *
 * @param readParent Gives the id of the parent, which becomes another one when that goes.
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
    }, lookEveryMs)
    timer.unref()
  })
}
