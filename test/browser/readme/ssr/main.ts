import { render } from './render.ts'

if (import.meta.env.DEV) await import('./mocks.ts')

document.body.textContent = await render()
