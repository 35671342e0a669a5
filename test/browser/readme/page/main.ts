import { render } from './app.ts'

if (import.meta.env.DEV) {
  const { startMocks } = await import('./mocks.ts')
  await startMocks()
}

render()
