import { addTests } from './two-tests.ts'

addTests(3, ({ headers }, tries) => {
  const seconds = headers.get('retry-after')
  return seconds === null ? 500 * 2 ** tries : Number(seconds) * 1_000 + 100
})
