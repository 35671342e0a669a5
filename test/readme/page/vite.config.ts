import { msw } from 'msw/vite'
import { defineConfig } from 'vite'

export default defineConfig(({ command }) => ({
  // Serves MSW's worker script while you develop.
  plugins: command === 'serve' ? [msw({ mode: 'worker-only' })] : [],
}))
