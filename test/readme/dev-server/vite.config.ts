import { createSandbox } from 'petstore-sandbox'
import { createMiddleware } from 'petstore-sandbox/express'
import { defineConfig, type Plugin } from 'vite'

/** Answers requests under `/v1` from one pet store, in `vite` and `vite preview`. */
function petstore(): Plugin {
  const answer = createMiddleware(createSandbox())
  return {
    name: 'petstore',
    configureServer({ middlewares }) {
      middlewares.use('/v1', answer)
    },
    configurePreviewServer({ middlewares }) {
      middlewares.use('/v1', answer)
    },
  }
}

export default defineConfig({ plugins: [petstore()] })
