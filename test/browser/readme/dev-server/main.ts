import { render } from './render.ts'

document.body.textContent = await render(location.origin)
