import type { AclRule } from '@batti/contracts'
import { describe, expect, it } from 'vitest'
import { apiRules, boardRules } from '../../test/rig.ts'
import { compileAcl } from './authorize.ts'

const own = 'a'.repeat(24)
const other = 'b'.repeat(24)
const rule = (action: AclRule['action'], topic: string, permission: AclRule['permission'] = 'allow'): AclRule => ({
  permission,
  action,
  topic
})

describe("a board's rules", () => {
  const acl = compileAcl(boardRules(own))

  it.each([
    [`d/${own}/up/update-from-device`, true],
    [`d/${own}/up/status`, true],
    [`d/${own}/up/firmware-progress`, true],
    [`d/${own}/up/else`, false],
    [`d/${own}/up/status/`, false],
    [`/d/${own}/up/status`, false],
    [`d/${own}/up`, false],
    [`d/${own}/down/switch-update`, false],
    [`d/${other}/up/status`, false],
    ['$SYS/x/new/clients', false],
    ['', false],
    ['__proto__', false]
  ])('publish to %s: %s', (topic, allowed) => expect(acl.publish(topic)).toBe(allowed))

  it.each([
    [`d/${own}/down/+`, true],
    [`d/${own}/down/ack`, true],
    [`d/${own}/down/else`, false],
    [`d/${own}/down/#`, false],
    [`d/${own}/+/+`, false],
    [`d/${own}/up/status`, false],
    [`d/+/down/+`, false],
    [`d/${other}/down/+`, false],
    ['#', false],
    ['+/+/+/+', false],
    ['$SYS/#', false]
  ])('subscribe to %s: %s', (filter, allowed) => expect(acl.subscribe(filter)).toBe(allowed))

  it.each([
    [`d/${own}/down/switch-update`, true],
    [`d/${own}/down/anything-later`, true],
    [`d/${other}/down/switch-update`, false],
    [`d/${own}/down/a/b`, false],
    [`d/${own}/up/status`, false]
  ])('receive %s: %s', (topic, allowed) => expect(acl.receive(topic)).toBe(allowed))
})

describe("the api's rules", () => {
  const acl = compileAcl(apiRules)

  it.each([
    [`d/${own}/down/ack`, true],
    [`d/${own}/up/status`, false],
    [`d/${own}/down`, false],
    [`d/${own}/down/a/b`, false],
    [`x/${own}/down/ack`, false],
    ['$SYS/a/down/b', false]
  ])('publish to %s: %s', (topic, allowed) => expect(acl.publish(topic)).toBe(allowed))

  it('subscribe to its own filter and to no wider one', () => {
    expect(acl.subscribe('d/+/up/+')).toBe(true)
    expect(acl.subscribe('d/#')).toBe(false)
    expect(acl.subscribe('#')).toBe(false)
  })
})

describe("rules in EMQX's format", () => {
  it('are decided by the first that matches', () => {
    const opened = compileAcl([rule('publish', 'a/b'), rule('publish', '#', 'deny')])
    expect([opened.publish('a/b'), opened.publish('a/c')]).toEqual([true, false])
    const closed = compileAcl([rule('publish', 'a/+', 'deny'), rule('publish', 'a/b'), rule('publish', '#')])
    expect([closed.publish('a/b'), closed.publish('b')]).toEqual([false, true])
    const literal = compileAcl([rule('publish', 'a/b', 'deny'), rule('publish', 'a/b'), rule('publish', 'a/+')])
    expect([literal.publish('a/b'), literal.publish('a/c')]).toEqual([false, true])
    const mixed = compileAcl([rule('publish', 'c/+', 'deny'), rule('publish', 'a/b'), rule('publish', 'd/+')])
    expect([mixed.publish('a/b'), mixed.publish('c/d'), mixed.publish('d/e')]).toEqual([true, false, true])
    const subscriber = compileAcl([rule('subscribe', 'a/+', 'deny'), rule('subscribe', 'a/b'), rule('subscribe', 'c')])
    expect([subscriber.subscribe('a/b'), subscriber.receive('a/b'), subscriber.subscribe('c')]).toEqual([
      false,
      false,
      true
    ])
    const late = compileAcl([
      rule('subscribe', 'a/+'),
      rule('subscribe', 'a/b', 'deny'),
      rule('subscribe', 'c', 'deny')
    ])
    expect([late.subscribe('a/+'), late.subscribe('a/b'), late.subscribe('c')]).toEqual([true, true, false])
  })

  it('never allow a topic that begins with $', () => {
    const acl = compileAcl([
      rule('publish', '$SYS/x'),
      rule('publish', '#'),
      rule('subscribe', '$SYS/#'),
      rule('subscribe', '#')
    ])
    expect([acl.publish('$SYS/x'), acl.publish('$other'), acl.subscribe('$SYS/#'), acl.receive('$SYS/x')]).toEqual([
      false,
      false,
      false,
      false
    ])
    expect(acl.publish('a')).toBe(true)
  })

  it.each([
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['a/#', 'ab', false],
    ['+', 'a', true],
    ['+', 'a/b', false],
    ['+', 'a/', false],
    ['+', '', true],
    ['a/+', 'a/', true],
    ['a/+', 'a', false],
    ['+/+', '/a', true],
    ['a/+/c', 'a/b/c', true],
    ['a/+/c', 'a/b/cc', false],
    ['a/+/c', 'a/b', false]
  ])('%s matches %s: %s', (filter, topic, matches) =>
    expect(compileAcl([rule('publish', filter)]).publish(topic)).toBe(matches)
  )

  it('allow nothing if there are none', () => {
    const acl = compileAcl([])
    expect([acl.publish('a'), acl.subscribe('a'), acl.receive('a')]).toEqual([false, false, false])
  })
})
