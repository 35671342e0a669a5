import { render } from '../page/app.ts'
import { startMocks } from './mocks.ts'

await startMocks()
await render()
