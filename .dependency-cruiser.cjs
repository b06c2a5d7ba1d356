/**
 * The arrows of docs/ARCHITECTURE.md: who may import whom. Everything else is an error, and each rule says what to do
 * instead. TypeScript 7 has no classic JS API, so sources are parsed by @swc/core.
 */
const apps = [
  'apps/api',
  'apps/broker',
  'apps/web',
  'firmware-sim',
  'packages/embedded-mongo',
  'packages/launcher',
  'bench',
  'e2e'
]
const tests = '(\\.test\\.tsx?$|/(test|testing)(/|\\.ts$))'

/** No product part imports another: they meet on the wire. Test and start-up code of the whole system may. */
const separateParts = ['apps/api', 'apps/broker', 'apps/web', 'firmware-sim', 'packages/embedded-mongo'].map(
  (part) => ({
    name: `${part.replaceAll('/', '-')}-alone`,
    comment: `${part} meets the other parts on the wire: share a schema through packages/contracts, never code.`,
    from: { path: `^${part}/`, pathNot: tests },
    to: { path: `^(${apps.filter((other) => other !== part).join('|')})/` }
  })
)

module.exports = {
  forbidden: [
    {
      name: 'resolves',
      comment:
        'This import leads nowhere: correct the path, or list the package in the package.json of this workspace.',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' }
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or share a third.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } }
    },
    {
      name: 'contracts-know-zod-only',
      comment: "contracts is every part's shared truth, so it may need nothing but zod.",
      from: { path: '^packages/contracts/src/', pathNot: tests },
      to: { pathNot: ['^packages/contracts/src/', '^node_modules/zod/'] }
    },
    {
      name: 'kit-knows-node-only',
      comment: 'kit is the floor under every part: it knows nothing of Batti and needs no package.',
      from: { path: '^packages/kit/src/', pathNot: tests },
      to: { pathNot: '^packages/kit/src/', dependencyTypesNot: ['core'] }
    },
    {
      name: 'client-knows-contracts-and-kit',
      comment: 'client calls the product as anybody could: by the contracts, never by code of its parts.',
      from: { path: '^packages/client/src/', pathNot: tests },
      to: { path: '^(apps|firmware-sim|bench|e2e|packages)/', pathNot: '^packages/(client|contracts|kit)/src/' }
    },
    {
      name: 'kit-runs-in-browsers',
      comment: 'The web takes these files too: what needs Node lies in kit/src/node/.',
      from: { path: '^packages/kit/src/', pathNot: ['^packages/kit/src/node/', tests] },
      to: { path: '^packages/kit/src/node/' }
    },
    {
      name: 'kit-knows-no-node-outside-its-room',
      comment: 'The web takes these files too: what needs Node lies in kit/src/node/.',
      from: { path: '^packages/kit/src/', pathNot: ['^packages/kit/src/node/', tests] },
      to: { dependencyTypes: ['core'] }
    },
    {
      name: 'web-runs-in-browsers',
      comment: 'kit/node/ needs Node: a page takes the rest of kit.',
      from: { path: '^apps/web/src/', pathNot: tests },
      to: { path: '^packages/kit/src/node/' }
    },
    {
      name: 'firmware-knows-node-only',
      comment: 'firmware is the form of a signed image, for api, boards and the tool alike: it knows nothing of Batti.',
      from: { path: '^packages/firmware/src/', pathNot: tests },
      to: { pathNot: '^packages/(firmware|kit)/src/', dependencyTypesNot: ['core'] }
    },
    ...separateParts,
    {
      name: 'tests-stay-on-their-side',
      comment: 'A test may use the database engine as its database; whole-system tests belong in e2e/.',
      from: { path: `^(apps/api|apps/broker|apps/web|firmware-sim|packages/embedded-mongo)/.*${tests}` },
      to: { path: '^(bench|e2e|packages/launcher)/' }
    },
    {
      name: 'nothing-imports-whole-system-code',
      comment: 'bench, e2e and the launcher start the product from outside: nothing may need them.',
      from: { pathNot: '^(bench|e2e|packages/launcher|scripts)/' },
      to: { path: '^(bench|e2e|packages/launcher)/' }
    },
    {
      name: 'api-main-only-starts',
      comment: 'main reads the config, composes, listens and closes: let compose create this.',
      from: { path: '^apps/api/src/main\\.ts$' },
      to: { path: '^apps/api/src/(features|boards|realtime|platform/(http|store|mail|sms))/' }
    },
    {
      name: 'api-nobody-imports-compose',
      comment: 'compose hands things out; take what you need as an argument.',
      from: {
        path: '^apps/api/src/',
        pathNot: ['^apps/api/src/start\\.ts$', '^apps/api/src/compose', tests]
      },
      to: { path: '^apps/api/src/(compose|main\\.ts)' }
    },
    {
      name: 'api-feature-alone',
      comment: 'A feature never imports a feature: compose passes it the one function that it needs.',
      from: { path: '^apps/api/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^apps/api/src/features/', pathNot: '^apps/api/src/features/$1/' }
    },
    {
      name: 'api-platform-alone',
      comment: 'platform is what any server has: it knows no feature, no board and no screen.',
      from: { path: '^apps/api/src/platform/', pathNot: tests },
      to: { path: '^apps/api/src/(features|boards|realtime)/' }
    },
    {
      name: 'api-boards-know-no-feature',
      comment:
        'boards and realtime serve every feature: a feature takes what it needs of them, and adds what they do for it, in its feature.ts.',
      from: { path: '^apps/api/src/(boards|realtime)/', pathNot: tests },
      to: { path: '^apps/api/src/features/' }
    },
    {
      name: 'api-boards-know-no-screen',
      comment: 'What a board said goes to the screens through a function that compose hands in.',
      from: { path: '^apps/api/src/boards/', pathNot: tests },
      to: { path: '^apps/api/src/realtime/' }
    },
    {
      name: 'api-service-knows-no-transport',
      comment: 'A service holds rules: it knows no Express, socket, MQTT or database. Take a port from compose.',
      from: { path: '\\.service\\.ts$' },
      to: {
        path: [
          '^node_modules/(express|socket\\.io|mqtt|mongoose|mongodb)/',
          '^apps/api/src/(platform/(http|store)|realtime|boards/(link|hooks|reports))/',
          '^apps/api/src/boards/(registry/device-(registry|store)|commands/commands)\\.ts$',
          '\\.(routes|model|realtime)\\.ts$'
        ],
        dependencyTypesNot: ['type-only']
      }
    },
    {
      name: 'api-routes-know-no-repository',
      comment: 'Routes authenticate, validate, call and answer: the service is who asks the repository.',
      from: { path: '\\.routes\\.ts$' },
      to: { path: '\\.(repository|model)\\.ts$', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'api-mqtt-only-in-boards',
      comment: 'boards/link/ is the only importer of the MQTT client.',
      from: { path: '^apps/api/src/', pathNot: ['^apps/api/src/boards/link/', tests] },
      to: { path: '^node_modules/mqtt/' }
    },
    {
      name: 'api-policy-is-pure',
      comment: 'Who may do what is a pure function of actor and record.',
      from: { path: '\\.policy\\.ts$' },
      to: { path: '\\.(service|repository|model|routes|realtime)\\.ts$', dependencyTypesNot: ['type-only'] }
    },
    {
      name: 'web-feature-alone',
      comment: 'A feature of the web never imports a feature: a route puts them together.',
      from: { path: '^apps/web/src/features/([^/]+)/', pathNot: tests },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' }
    },
    {
      name: 'web-nothing-imports-app',
      comment: 'app/ and routes/ compose features; nothing points back at them.',
      from: { path: '^apps/web/src/(features|ui|lib|i18n)/', pathNot: tests },
      to: { path: '^apps/web/src/(app|routes)/' }
    },
    {
      name: 'web-routes-know-routing-only',
      comment: 'The shell is around a route and the bootstrap before it: of app/, a route may know where routes lead.',
      from: { path: '^apps/web/src/routes/', pathNot: tests },
      to: { path: '^apps/web/src/app/(bootstrap|shell)/' }
    },
    {
      name: 'web-ui-is-dumb',
      comment: 'ui/ and lib/ know no feature and fetch no data.',
      from: { path: '^apps/web/src/(ui|lib|i18n)/', pathNot: tests },
      to: { path: '^apps/web/src/features/' }
    },
    {
      name: 'web-lib-knows-no-ui',
      comment: 'lib/ is below ui/.',
      from: { path: '^apps/web/src/(lib|i18n)/', pathNot: tests },
      to: { path: '^apps/web/src/ui/' }
    },
    {
      name: 'sim-device-is-pure',
      comment: 'device/ is a pure state machine: what it wants done is an effect, which board/ performs.',
      from: { path: '^firmware-sim/src/device/', pathNot: tests },
      to: { path: '^firmware-sim/src/', pathNot: '^firmware-sim/src/device/' }
    },
    {
      name: 'dev-dependency-in-product',
      comment:
        'What runs or builds the product needs this package as a dependency of its workspace, not a devDependency.',
      from: {
        path: ['^(apps|packages|firmware-sim)/.*src/', '^apps/web/(build/|vite\\.config\\.ts$)'],
        pathNot: tests
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' }
    }
  ].map((rule) => ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    // The scripts of `npm run interop` run beside packages that are installed for them, outside the repository.
    exclude: { path: '^((apps|packages)/[^/]+|[^/]+)/(dist|coverage|\\.turbo|\\.batti)/|^scripts/interop/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css']
    }
  }
}
