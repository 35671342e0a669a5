import { createSandbox } from 'petstore-sandbox'
import { createMiddleware } from 'petstore-sandbox/express'
import { defineConfig, type Plugin } from 'vite'

/** Serves one pet store at `/v1`, in `vite` and `vite preview`. */
function petstore(): Plugin {
  const respond = createMiddleware(createSandbox())
  return {
    name: 'petstore',
    configureServer({ middlewares }) {
      middlewares.use('/v1', respond)
    },
    configurePreviewServer({ middlewares }) {
      middlewares.use('/v1', respond)
    },
  }
}

export default defineConfig({ plugins: [petstore()] })
