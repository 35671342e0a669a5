import { msw } from 'msw/vite'
import { defineConfig } from 'vite'

export default defineConfig(({ command }) => ({
  // Serves the script of MSW's service worker while you develop; a build has no use for it.
  plugins: command === 'serve' ? [msw({ mode: 'worker-only' })] : [],
}))
