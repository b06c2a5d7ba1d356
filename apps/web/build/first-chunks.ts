import { readdirSync } from 'node:fs'

/** How the build cuts the code: few files for what a page needs, in place of one for each module that two pages share. */

/** What rolldown tells of a module. */
interface ModuleInfo {
  importedIds: readonly string[]
  code: string | null
}
interface Graph {
  getModuleInfo(id: string): ModuleInfo | null
}

/** Ends of module paths: a person's home, and what stands around every page of somebody who is signed in. */
const homeRoots = [
  'src/routes/user/home.tsx',
  'src/app/shell/side-bar.tsx',
  'src/app/shell/signed-in-frame.tsx',
  'src/app/shell/profile-menu.tsx'
]
/** What a stranger may see first. */
const strangerRoots = ['src/routes/public/login.tsx', 'src/routes/public/landing.tsx']
/** What strangers open after these. */
const laterRoots = [
  'src/routes/public/forgot-password.tsx',
  'src/routes/public/reset-by-link.tsx',
  'src/routes/public/reset-password.tsx',
  'src/routes/public/support-topic.tsx',
  'src/routes/public/support.tsx'
]
/** Pages of a home that are little more than its switches: not with them comes what only the others need. */
const lightRoots = [
  'src/routes/user/dashboard.tsx',
  'src/routes/user/favorite-switches.tsx',
  'src/routes/user/switches.tsx',
  'src/routes/parts/room-lamps.tsx',
  'src/routes/parts/switch-rows.tsx'
]
/** What people at home open besides the pages of their own folder. */
const personRoots = [
  'src/routes/parts/add-schedule.tsx',
  'src/routes/parts/board-dialog.tsx',
  'src/routes/public/register.tsx'
]
/** Pages of staff without a table. */
const overviewRoots = [
  'src/routes/staff/dashboard.tsx',
  'src/routes/staff/fleet.tsx',
  'src/routes/staff/home.tsx',
  'src/routes/staff/new-rollout.tsx'
]
const homeTexts = ['home', 'rooms', 'devices', 'switches', 'schedules', 'on-times']
const frameTexts = ['common', 'shell', 'accounts']

/** Every screen in a folder of `src/routes`. */
const screensIn = (webDir: string, folder: string): readonly string[] =>
  readdirSync(`${webDir}/src/routes/${folder}`)
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => `src/routes/${folder}/${file}`)

/** Imported whole and used in part: who reaches what of them is not told by their imports. */
const collections = /\/(?:packages\/contracts|node_modules\/lucide-react)\//

/** Everything that a module imports statically, itself included. */
function withImports(root: string, graph: Graph, found: Set<string>): void {
  if (found.has(root) || collections.test(root)) return
  found.add(root)
  for (const id of graph.getModuleInfo(root)?.importedIds ?? []) withImports(id, graph, found)
}

/** Whether a module is one of those that the roots import statically; the graph is walked once. */
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

/** Icons that these roots draw, told by the words of their imports: the package is imported whole. */
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
  // Its icons have several names each, and one file.
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

/** `webDir`: where the app's own sources are. */
export function firstChunks(webDir: string) {
  const isOfHome = oneOf(webDir, homeRoots)
  const isOfStrangers = oneOf(webDir, strangerRoots)
  const isOfLater = oneOf(webDir, laterRoots)
  const isOfLight = oneOf(webDir, lightRoots)
  const isOfPeople = oneOf(webDir, [...screensIn(webDir, 'user'), ...personRoots])
  const isOfOverviews = oneOf(webDir, overviewRoots)
  const isOfStaff = oneOf(webDir, screensIn(webDir, 'staff'))
  const isIconOfHome = iconsOf(webDir, homeRoots)
  const isIconOfStrangers = iconsOf(webDir, strangerRoots)
  const only =
    (name: string, isOf: (id: string, graph: Graph) => boolean) =>
    (id: string, graph: Graph): string | null =>
      isOf(id, graph) ? name : null
  return {
    // Earlier ones first: a group takes along what its modules import, as far as nothing before it did.
    groups: [
      { debugName: 'texts', name: textsOf },
      // What the entry needs, whole.
      { name: 'app', tags: ['$initial' as const] },
      {
        debugName: 'frame',
        // With the few icons of a stranger's pages: for these alone all of a home's would come.
        name: only(
          'frame',
          (id, graph) => (isOfHome(id, graph) && isOfStrangers(id, graph)) || isIconOfStrangers(id, graph)
        )
      },
      { debugName: 'home-icons', name: only('home-icons', isIconOfHome) },
      // By themselves: a page that needs one icon must not load what stood beside it.
      {
        name: 'icons',
        test: /node_modules\/lucide-react\//,
        minShareCount: 2,
        entriesAware: true,
        entriesAwareMergeThreshold: 60_000
      },
      { debugName: 'first-home', name: only('first-home', isOfHome) },
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
