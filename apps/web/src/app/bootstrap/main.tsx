import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { compose } from './compose.ts'
import { App } from './app.tsx'
import { keepShell } from './keep-shell.ts'
import { firstTextsOf } from '#web/app/routing/router.tsx'
import { startSideEffects } from './side-effects.ts'

async function main() {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root')
  const logError = (error: unknown) => console.error(error)
  keepShell(window, logError)
  const services = compose(window, logError)
  document.title = services.brand.name
  startSideEffects(services, window)
  await services.language.need(['common', 'shell', ...firstTextsOf(window.location.pathname)])
  createRoot(root).render(
    <StrictMode>
      <App services={services} />
    </StrictMode>
  )
}

void main()
