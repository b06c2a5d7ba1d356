import { readdirSync } from 'node:fs'

/** Groups modules into chunks: a page needs few files, instead of one for each module that two pages share. */

/** The part of rolldown's module info that is used here. */
interface ModuleInfo {
  importedIds: readonly string[]
  code: string | null
}
interface Graph {
  getModuleInfo(id: string): ModuleInfo | null
}

/** Ends of module paths: the user's home page, and the frame around every page of a signed-in person. */
const homeRoots = ['src/routes/user/home.tsx', 'src/app/shell/signed-in-frame.tsx', 'src/app/shell/profile-menu.tsx']
/** The links to every page, with their icons: phones load them when a menu is opened. */
const menuRoots = ['src/app/shell/side-bar.tsx']
/** The pages that a visitor without a session may see first. */
const strangerRoots = ['src/routes/public/login.tsx', 'src/routes/public/landing.tsx']
/** The pages that such a visitor opens after these. */
const laterRoots = [
  'src/routes/public/forgot-password.tsx',
  'src/routes/public/reset-by-link.tsx',
  'src/routes/public/reset-password.tsx',
  'src/routes/public/support-topic.tsx',
  'src/routes/public/support.tsx'
]
/** Pages of a home that show little more than switches. They must not load code that only the other pages need. */
const lightRoots = [
  'src/routes/user/dashboard.tsx',
  'src/routes/user/favorite-switches.tsx',
  'src/routes/user/switches.tsx',
  'src/routes/parts/room-lamps.tsx',
  'src/routes/parts/switch-rows.tsx'
]
/** Pages that users open besides those in their own folder. */
const personRoots = [
  'src/routes/parts/add-schedule.tsx',
  'src/routes/parts/board-dialog.tsx',
  'src/routes/public/register.tsx'
]
/** Staff pages without a table. */
const overviewRoots = [
  'src/routes/staff/dashboard.tsx',
  'src/routes/staff/fleet.tsx',
  'src/routes/staff/home.tsx',
  'src/routes/staff/new-rollout.tsx'
]
const homeTexts = ['home', 'rooms', 'devices', 'switches', 'schedules', 'on-times']
const frameTexts = ['common', 'shell', 'accounts']

/** Lists every screen in a folder of `src/routes`. */
const screensIn = (webDir: string, folder: string): readonly string[] =>
  readdirSync(`${webDir}/src/routes/${folder}`)
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => `src/routes/${folder}/${file}`)

/** Packages that are imported whole and used in part: an import does not tell which of their modules are used. */
const collections = /\/(?:packages\/contracts|node_modules\/lucide-react)\//

/** Collects a module and everything that it imports statically. */
function withImports(root: string, graph: Graph, found: Set<string>): void {
  if (found.has(root) || collections.test(root)) return
  found.add(root)
  for (const id of graph.getModuleInfo(root)?.importedIds ?? []) withImports(id, graph, found)
}

/** Returns a test for modules that the roots import statically; the graph is walked once. */
function oneOf(webDir: string, roots: readonly string[]) {
  let found: Set<string> | null = null
  return (id: string, graph: Graph): boolean => {
    if (found === null) {
      found = new Set()
      for (const root of roots) withImports(`${webDir}/${root}`, graph, found)
    }
    return found.has(id)
  }
}

/** Returns a test for the icons that these roots use. It reads the import statements, as the package is imported whole. */
function iconsOf(webDir: string, roots: readonly string[]) {
  let files: Set<string> | null = null
  return (id: string, graph: Graph): boolean => {
    if (files === null) {
      const modules = new Set<string>()
      for (const root of roots) withImports(`${webDir}/${root}`, graph, modules)
      files = iconFiles([...modules], graph)
    }
    const [, file] = /\/lucide-react\/dist\/esm\/icons\/([\w-]+)\.\w+$/.exec(id) ?? []
    return file !== undefined && files.has(file)
  }
}

function iconFiles(modules: readonly string[], graph: Graph): Set<string> {
  const codeOf = (id: string): string => graph.getModuleInfo(id)?.code ?? ''
  const index = modules
    .flatMap((id) => graph.getModuleInfo(id)?.importedIds ?? [])
    .find((id) => /\/lucide-react\/dist\/esm\/lucide-react\.\w+$/.test(id))
  // Each icon has several names and one file.
  const fileOf = new Map(
    [...codeOf(index ?? '').matchAll(/\{([^}]*)\} from ["']\.\/icons\/([\w-]+)\.\w+["']/g)].flatMap(
      ([, names = '', file = '']) => names.split(',').map((name) => [name.replace(/.* as /, '').trim(), file] as const)
    )
  )
  const imports = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g
  const names = modules.flatMap((id) =>
    [...codeOf(id).matchAll(imports)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.replace(/ as .*/, '').trim())
    )
  )
  return new Set(names.flatMap((name) => fileOf.get(name) ?? []))
}

function textsOf(id: string): string | null {
  if (id.endsWith('/src/lib/i18n/nepali.ts')) return 'texts-ne'
  const [, language, area] = /\/src\/i18n\/(en|ne)\/([\w-]+)\.ts$/.exec(id) ?? []
  if (area === undefined) return null
  if (frameTexts.includes(area)) return `texts-${language}`
  return homeTexts.includes(area) ? `texts-home-${language}` : null
}

/** `webDir`: the folder of apps/web. */
export function firstChunks(webDir: string) {
  const isOfHome = oneOf(webDir, homeRoots)
  const isOfMenus = oneOf(webDir, menuRoots)
  const isOfStrangers = oneOf(webDir, strangerRoots)
  const isOfLater = oneOf(webDir, laterRoots)
  const isOfLight = oneOf(webDir, lightRoots)
  const isOfPeople = oneOf(webDir, [...screensIn(webDir, 'user'), ...personRoots])
  const isOfOverviews = oneOf(webDir, overviewRoots)
  const isOfStaff = oneOf(webDir, screensIn(webDir, 'staff'))
  const isIconOfHome = iconsOf(webDir, homeRoots)
  const isIconOfMenus = iconsOf(webDir, menuRoots)
  const isIconOfStrangers = iconsOf(webDir, strangerRoots)
  const only =
    (name: string, isOf: (id: string, graph: Graph) => boolean) =>
    (id: string, graph: Graph): string | null =>
      isOf(id, graph) ? name : null
  return {
    // Earlier groups have priority. A group includes the imports of its modules, unless an earlier group has them.
    groups: [
      { debugName: 'texts', name: textsOf },
      // Everything that the entry imports.
      { name: 'app', tags: ['$initial' as const] },
      {
        debugName: 'frame',
        // Includes the few icons of the public pages; without that these would load all icons of a home.
        name: only(
          'frame',
          (id, graph) => (isOfHome(id, graph) && isOfStrangers(id, graph)) || isIconOfStrangers(id, graph)
        )
      },
      { debugName: 'home-icons', name: only('home-icons', isIconOfHome) },
      { debugName: 'first-home', name: only('first-home', isOfHome) },
      { debugName: 'menus', name: only('menus', (id, graph) => isOfMenus(id, graph) || isIconOfMenus(id, graph)) },
      // Icons get chunks of their own: a page that needs one icon must not load the modules around it.
      {
        name: 'icons',
        test: /node_modules\/lucide-react\//,
        minShareCount: 2,
        entriesAware: true,
        entriesAwareMergeThreshold: 60_000
      },
      { debugName: 'stranger', name: only('stranger', isOfStrangers), minShareCount: 2 },
      { debugName: 'later', name: only('later', isOfLater), minShareCount: 2 },
      { debugName: 'light', name: only('light', isOfLight), minShareCount: 2 },
      {
        debugName: 'common',
        name: only('common', (id, graph) => isOfPeople(id, graph) && isOfStaff(id, graph)),
        minShareCount: 2
      },
      { debugName: 'person', name: only('person', isOfPeople), minShareCount: 2 },
      { debugName: 'overview', name: only('overview', isOfOverviews), minShareCount: 2 },
      { debugName: 'lists', name: only('lists', isOfStaff), minShareCount: 2 }
    ].map((group, index, { length }) => ({ ...group, priority: length - index }))
  }
}
