import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { freePort } from '@batti/kit/node/ports'
import { accountOf, startProduct } from '../../packages/launcher/src/testing/start-product.ts'
import { rootDir } from '../run-command.ts'
import { hasPackages } from './npm-packages.ts'

/** A browser of this machine. WebKit has its driver in another program. */
interface Engine {
  name: 'firefox' | 'webkit'
  program: string
  driver?: string
}

const packages = ['puppeteer-core@24.43.1', 'selenium-webdriver@4.46.0']

/** Opens the demo home in the browsers that are installed here: Debian's firefox-esr; webkit2gtk-driver with xvfb. */
export async function checkBrowsers(home: string): Promise<'passed' | 'failed' | { passedOver: string }> {
  const engines = enginesHere()
  if (engines.length === 0) return { passedOver: 'neither Firefox nor WebKitWebDriver is on this machine' }
  const folder = join(home, 'browsers')
  if (!hasPackages(folder, packages))
    return { passedOver: `its packages could not be installed: ${packages.join(' ')}` }
  const script = join(folder, 'run.mjs')
  copyFileSync(join(rootDir, 'scripts/interop/browsers.mjs'), script)
  const product = await startProduct()
  try {
    const plan = { web: product.web, account: accountOf(product, 'user'), engines, port: await freePort() }
    const run = [process.execPath, script, JSON.stringify(plan)]
    const [command = '', ...args] =
      process.env['DISPLAY'] === undefined && program('xvfb-run') !== undefined ? ['xvfb-run', '-a', ...run] : run
    const { status } = spawnSync(command, args, {
      cwd: folder,
      stdio: 'inherit',
      env: { ...process.env, ...withoutSandbox() }
    })
    return status === 0 ? 'passed' : 'failed'
  } finally {
    await product.stop()
  }
}

/** Returns the path of a program. */
const program = (...names: readonly string[]): string | undefined =>
  names.flatMap((name) => globSync((process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name))))[0]

function enginesHere(): Engine[] {
  const [firefox, driver] = [program('firefox-esr', 'firefox'), program('WebKitWebDriver')]
  const [browser] = globSync('/usr/lib*/{*/,}webkit2gtk-4*/MiniBrowser')
  return [
    ...(firefox === undefined ? [] : [{ name: 'firefox' as const, program: firefox }]),
    ...(driver === undefined || browser === undefined ? [] : [{ name: 'webkit' as const, program: browser, driver }])
  ]
}

/** WebKit's sandbox refuses root, as in a container. */
const withoutSandbox = (): Record<string, string> =>
  process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}
