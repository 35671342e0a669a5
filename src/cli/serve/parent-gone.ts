import { npmAbove } from '../processes/npm-above.ts'
import { isRunning } from '../processes/running-process.ts'

/** How often to check that the parent is alive. */
const pollEveryMs = 500

/** The names under which npm runs this program without passing signals on. */
const runByNpm: readonly (string | undefined)[] = ['start', 'npx']

/** How the processes above this one are looked at. */
export interface Above {
  /** The parent's id, which changes when the parent ends. */
  readonly parent: () => number
  /** The id of the npm that runs this process, if it is to be seen. */
  readonly npm: () => number | undefined
  /** Whether a process runs. */
  readonly isAlive: (id: number) => boolean
}

const system: Above = {
  parent: () => process.ppid,
  npm: npmAbove,
  isAlive: isRunning,
}

/**
 * Resolves when the parent process ends, or `npm start` or `npx` above it, if one of those runs this program: the shell in
 * between doesn't pass signals on, and outlives an npm that is killed.
 */
export function parentGone(environment: NodeJS.ProcessEnv, above = system): Promise<void> {
  return new Promise((resolve) => {
    if (!runByNpm.includes(environment.npm_lifecycle_event)) return
    const [parent, npm] = [above.parent(), above.npm()]
    const timer = setInterval(() => {
      if (above.parent() === parent && (npm === undefined || above.isAlive(npm))) return
      clearInterval(timer)
      resolve()
    }, pollEveryMs)
    timer.unref()
  })
}
