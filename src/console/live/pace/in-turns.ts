const turnMs = 5_000

/** Does something when it is asked for, but not more often than every five seconds. */
export function inTurns(act: () => void): { ask(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    ask() {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, turnMs)
    },
    stop: () => clearTimeout(timer),
  }
}
