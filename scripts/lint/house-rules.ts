/**
 * This project's own lint rules, for which no ready-made rule exists. Each message names the alternative.
 * Loaded by `.oxlintrc.json` (`jsPlugins`), which also lists the exceptions (tests, `config.ts`, `clock.ts`).
 */
import { isIdentifier, memberName, type RuleContext, type Visitor } from './ast.ts'
import { databaseRules } from './database-rules.ts'

interface HouseRule {
  meta: { type: 'problem'; docs: { description: string } }
  create(context: RuleContext): Visitor
}

const rule = (description: string, create: HouseRule['create']): HouseRule => ({
  meta: { type: 'problem', docs: { description } },
  create
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

const plugin = {
  meta: { name: 'house' },
  rules: {
    'time-from-the-clock': timeFromTheClock,
    'database-rules': rule('what the embedded engine and MongoDB must not be asked', databaseRules)
  }
}

export default plugin
