/**
 * The bans of this house that no ready-made rule says well: each message names what to do instead.
 * Loaded by `.oxlintrc.json` (`jsPlugins`); where a rule does not hold (tests, `config.ts`, `clock.ts`) is said there.
 */
import { isIdentifier, isNode, memberName, type Node, type RuleContext, type Visitor } from './ast.ts'
import { databaseRules } from './database-rules.ts'

interface HouseRule {
  meta: { type: 'problem'; docs: { description: string } }
  create(context: RuleContext): Visitor
}

const rule = (description: string, create: HouseRule['create']): HouseRule => ({
  meta: { type: 'problem', docs: { description } },
  create
})

const envOnlyInConfig = rule('the environment is read once, in config.ts', (context) => {
  const message = 'Read the environment in config.ts alone, and take the parsed value as an argument.'
  return {
    MemberExpression: (node) => {
      if (isIdentifier(node['object'], 'process') && memberName(node) === 'env') context.report({ node, message })
    },
    VariableDeclarator: (node) => {
      if (isIdentifier(node['init'], 'process') && destructures(node['id'], 'env')) context.report({ node, message })
    },
    ImportDeclaration: (node) => {
      if (importsName(node, ['process', 'node:process'], 'env')) context.report({ node, message })
    }
  }
})

const timeFromTheClock = rule('time is an argument', (context) => {
  const message =
    'Time is an argument: take a clock (see clock.ts) and ask its now(), so that a test decides what time it is.'
  return {
    MemberExpression: (node) => {
      if (isIdentifier(node['object'], 'Date') && memberName(node) === 'now') context.report({ node, message })
    },
    NewExpression: (node) => {
      const given = node['arguments']
      if (isIdentifier(node['callee'], 'Date') && Array.isArray(given) && given.length === 0)
        context.report({ node, message })
    },
    CallExpression: (node) => {
      if (isIdentifier(node['callee'], 'Date')) context.report({ node, message })
    }
  }
})

const consoleOnlyInMain = rule('only an entry file writes to the terminal', (context) => ({
  MemberExpression: (node) => {
    if (isIdentifier(node['object'], 'console')) {
      context.report({
        node,
        message: 'Log through the logger that was handed in; only main.ts and a cli write to the terminal.'
      })
    }
  }
}))

const namedExports = rule('a thing has one name everywhere', (context) => ({
  ExportDefaultDeclaration: (node) => {
    context.report({
      node,
      message: 'Export it by name, so that it is called the same everywhere and found by typing it.'
    })
  }
}))

const transports = new Set(['express', 'socket.io', 'mqtt', 'mongoose', 'mongodb'])
const serviceKnowsNoTransport = rule('a service holds rules and knows no transport', (context) => ({
  ImportDeclaration: (node) => {
    const source = isNode(node['source']) ? node['source']['value'] : undefined
    if (typeof source !== 'string' || !transports.has(source)) return
    context.report({
      node,
      message: `A service knows no ${source}: take a function or a port from compose, and leave ${source} to the routes, the repository, realtime/ or boards/.`
    })
  }
}))

function destructures(pattern: unknown, name: string): boolean {
  if (!isNode(pattern) || pattern.type !== 'ObjectPattern' || !Array.isArray(pattern['properties'])) return false
  return pattern['properties'].some((property: unknown) => isNode(property) && isIdentifier(property['key'], name))
}

function importsName(node: Node, sources: readonly string[], name: string): boolean {
  const source = isNode(node['source']) ? node['source']['value'] : undefined
  if (typeof source !== 'string' || !sources.includes(source) || !Array.isArray(node['specifiers'])) return false
  return node['specifiers'].some((specifier: unknown) => isNode(specifier) && isIdentifier(specifier['imported'], name))
}

const plugin = {
  meta: { name: 'house' },
  rules: {
    'env-only-in-config': envOnlyInConfig,
    'time-from-the-clock': timeFromTheClock,
    'console-only-in-main': consoleOnlyInMain,
    'named-exports': namedExports,
    'service-knows-no-transport': serviceKnowsNoTransport,
    'database-rules': rule('what the embedded engine and MongoDB must not be asked', databaseRules)
  }
}

export default plugin
