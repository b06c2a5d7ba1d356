import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compileMessages } from './build/compile-messages.ts'
import { apiUrl as api } from './build/config.ts'
import { firstChunks } from './build/first-chunks.ts'
import { firstPageBudget } from './build/first-page-budget.ts'
import { leanPackages } from './build/lean-packages.ts'
import { precompress } from './build/precompress.ts'
import { listFirstFiles } from './build/list-first-files.ts'
import { metaFromApi } from './build/meta-from-api.ts'
import { minifyPublic } from './build/minify-public.ts'

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    compileMessages(),
    leanPackages(),
    metaFromApi(api),
    listFirstFiles(),
    minifyPublic(),
    precompress(),
    firstPageBudget({
      limitKb: 150,
      // A visitor's first page: the entry, the first screen, and its texts.
      firstPages: ['src/routes/public/login.tsx', 'src/routes/public/landing.tsx'],
      always: ['i18n/en/common.ts', 'i18n/en/shell.ts', 'i18n/en/accounts.ts'],
      filesPerPage: 16
    })
  ],
  build: {
    outDir: 'dist',
    target: 'es2022',
    sourcemap: false,
    modulePreload: {
      // All target browsers support modulepreload.
      polyfill: false,
      // The preload list of each page's imports would be a fortieth of the first page. `theme.js` requests the first
      // ones, and `fetch-pages.ts` the others before they are opened.
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'html' ? files : [])
    },
    rolldownOptions: {
      output: { codeSplitting: firstChunks(import.meta.dirname) },
      // Contracts, client and kit have no side effects: parts that no screen of a chunk uses are removed from it.
      treeshake: { moduleSideEffects: (id) => !/\/packages\/(?:client|contracts|kit)\//.test(id) }
    }
  },
  server: {
    port: 5173,
    proxy: {
      '/api': api,
      '/dev': api,
      // The generated reference files. The page /docs is the app's own, and the user guide is a static file.
      '^/docs/.*\\.(json|md)$': api,
      '/files': api,
      '/manifest.webmanifest': api,
      '/socket.io': { target: api, ws: true }
    }
  }
})
