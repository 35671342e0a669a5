import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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

/** How far above this process npm may be: a shell or two are in between. */
const mostLevels = 3

/** Finds the npm that runs this process, through shells in between; `undefined` where none is to be seen. */
export function npmAbove(): number | undefined {
  let id = process.ppid
  for (let level = 0; level < mostLevels && id > 1; level++) {
    const { title, parent } = look(id)
    if (/^np[mx]\b/.test(title)) return id
    id = parent
  }
  return undefined
}

/** What a process calls itself, and its parent. */
interface Look {
  readonly title: string
  readonly parent: number
}

const nothing: Look = { title: '', parent: 0 }

function look(id: number): Look {
  if (process.platform === 'win32') return nothing
  return existsSync('/proc/self/stat') ? lookInProc(id) : lookByPs(id)
}

function lookInProc(id: number): Look {
  try {
    const text = readFileSync(`/proc/${id}/stat`, 'utf8')
    const [, title = '', parent] = /\((.*)\) \S (\d+)/s.exec(text) ?? []
    return { title, parent: Number(parent) }
  } catch {
    // It has just ended.
    return nothing
  }
}

function lookByPs(id: number): Look {
  const words = ['-o', 'ppid=,command=', '-p', String(id)]
  const { stdout } = spawnSync('ps', words, { encoding: 'utf8' })
  const [, parent = '0', title = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? []
  return { title, parent: Number(parent) }
}
