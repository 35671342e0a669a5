/** Loaded into a server under attack: measures its longest stop and its memory, and tells who asks. */
import { setInterval as startInterval } from 'node:timers'

/** What a server has measured. */
export interface Gauge {
  /** The longest time that its thread computed without looking for other requests, in milliseconds. */
  readonly stopMs: number
  /** The most memory that it had, in MiB. */
  readonly peakMiB: number
}

/** What the thread has computed so far, in milliseconds: what others compute meanwhile is not counted. */
function computedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

let stopMs = 0
let before = computedMs()

startInterval(() => {
  const now = computedMs()
  stopMs = Math.max(stopMs, now - before)
  before = now
}, 1).unref()

process.on('message', (message) => {
  if (message === 'begin') {
    stopMs = 0
    before = computedMs()
  }
  const gauge: Gauge = { stopMs, peakMiB: process.resourceUsage().maxRSS / 1_024 }
  process.send?.(gauge)
})
process.channel?.unref()
