import { defineConfig } from 'vite'

/** Builds the package: each entry a module, what they share in chunks. */
export default defineConfig({
  ssr: { noExternal: ['express', 'yargs', '@msw/data'] },
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'es2023',
    minify: false,
    rollupOptions: {
      input: { index: 'src/index.ts', server: 'src/server/start-server.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
    },
  },
})
