import { msw } from 'msw/vite'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const isMocked = loadEnv(mode, import.meta.dirname).VITE_API_URL === undefined
  // Serves the script of MSW's service worker, so that none has to be copied into `public`.
  return { plugins: isMocked ? [msw({ mode: 'worker-only' })] : [] }
})
