/** Does one long thing after the other. */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Does something once all that came before has ended, whatever became of it. */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }
}
