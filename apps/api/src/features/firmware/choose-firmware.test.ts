import { describe, expect, test } from 'vitest'
import { isOutdated, isStepWithdrawn, nextImage, refusalOf, type ImageFacts } from './choose-firmware.ts'

const board = { hwModel: 'wall', osVersion: '1.0.0' }
const trust = { isRequired: false, keyIds: new Set<string>() }
const image = (version: string, change: Partial<ImageFacts> = {}): ImageFacts => ({
  version,
  hwModel: 'wall',
  keyId: null,
  secureVersion: null,
  state: 'released',
  from: null,
  ...change
})

describe('an image for a board', () => {
  const running = image('1.0.0', { secureVersion: 5 })
  test.each<[string, Partial<ImageFacts>, object, string | null]>([
    ['of its model', { secureVersion: 5 }, {}, null],
    ['of no model', { hwModel: null, secureVersion: 5 }, {}, null],
    ['of another model', { hwModel: 'fan' }, {}, 'wrong-model'],
    ['of an older secure version', { secureVersion: 4 }, {}, 'older-secure-version'],
    ['that is withdrawn', { secureVersion: 5, state: 'withdrawn' }, {}, 'withdrawn'],
    ['that is a draft', { secureVersion: 5, state: 'draft' }, {}, 'draft'],
    ['without a signature where one is asked for', { secureVersion: 5 }, { isRequired: true }, 'untrusted'],
    ['of a trusted key', { secureVersion: 5, keyId: 'a' }, { isRequired: true, keyIds: new Set(['a']) }, null],
    ['of a withdrawn key', { secureVersion: 5, keyId: 'b' }, { keyIds: new Set(['a']) }, 'untrusted']
  ])('%s', (_name, change, trusted, expected) => {
    const wanted = image('1.1.0', change)
    expect(refusalOf(wanted, board, { images: [running, wanted], trust: { ...trust, ...trusted } })).toBe(expected)
  })
})

test('the secure version that counts is that of the image which the board runs, not of a newer one', () => {
  const wanted = image('1.1.0', { secureVersion: 5 })
  const images = [image('2.0.0', { secureVersion: 9 }), image('1.0.0', { secureVersion: 5 }), wanted]
  expect(refusalOf(wanted, board, { images, trust })).toBeNull()
  expect(refusalOf(wanted, { ...board, osVersion: '2.0.0' }, { images, trust })).toBe('older-secure-version')
})

describe('the path to an image', () => {
  const wanted = image('3.0.0', { from: { min: '2.0.0' } })
  const versionSent = (osVersion: string, others: ImageFacts[]) =>
    nextImage(wanted, { ...board, osVersion }, { images: [...others, wanted], trust })?.version ?? null

  test.each<[string, string, ImageFacts[], string | null]>([
    ['is direct from its least version on', '2.0.0', [], '3.0.0'],
    ['goes by the newest that the board may take', '1.0.0', [image('2.0.0'), image('2.5.0')], '2.5.0'],
    ['goes by several', '1.0.0', [image('1.5.0'), image('2.5.0', { from: { min: '1.5.0' } })], '1.5.0'],
    ['leads nowhere without a step', '1.0.0', [image('1.5.0')], null],
    ['never goes by a draft', '1.0.0', [image('2.5.0', { state: 'draft' })], null],
    ['never goes by another model', '1.0.0', [image('2.5.0', { hwModel: 'fan' })], null]
  ])('%s', (_name, osVersion, others, expected) => {
    expect(versionSent(osVersion, others)).toBe(expected)
  })

  test.each<[string, string, ImageFacts[], boolean]>([
    ['is withdrawn', '1.0.0', [image('2.5.0', { state: 'withdrawn' })], true],
    ['has lost its key', '1.0.0', [image('2.5.0', { keyId: 'gone' })], true],
    ['is withdrawn, beside another way', '1.0.0', [image('2.5.0', { state: 'withdrawn' }), image('2.0.0')], false],
    ['is withdrawn, but not needed', '2.0.0', [image('2.5.0', { state: 'withdrawn' })], false],
    ['never was', '1.0.0', [image('1.5.0', { state: 'withdrawn' })], false],
    ['is a draft', '1.0.0', [image('2.5.0', { state: 'draft' })], false]
  ])('by a step that %s, from %s', (_name, osVersion, others, expected) => {
    expect(isStepWithdrawn(wanted, { ...board, osVersion }, { images: [...others, wanted], trust })).toBe(expected)
  })

  test('is searched once from each version, however many paths lead nowhere', () => {
    const others = Array.from({ length: 40 }, (_, index) => image(`1.${index + 1}.0`))
    expect(versionSent('1.0.0', others)).toBeNull()
    expect(versionSent('1.0.0', [...others, image('2.5.0', { from: { min: '1.40.0' } })])).toBe('1.40.0')
  })
})

describe('a board is outdated', () => {
  test.each<[string, ImageFacts[], boolean]>([
    ['where a newer one is released', [image('1.10.0')], true],
    ['not by a draft', [image('1.10.0', { state: 'draft' })], false],
    ['not by an image without a model', [image('1.10.0', { hwModel: null })], false],
    ['not by an older one', [image('0.9.9')], false],
    ['where it runs a withdrawn one', [image('1.0.0', { state: 'withdrawn' })], true],
    ['where it runs one of a withdrawn key', [image('1.0.0', { keyId: 'b' })], true],
    [
      'where it runs a withdrawn one that names no model',
      [image('1.0.0', { hwModel: null, state: 'withdrawn' })],
      true
    ],
    [
      'not by a withdrawn one without a model where its own has that version',
      [image('1.0.0', { hwModel: null, state: 'withdrawn' }), image('1.0.0')],
      false
    ],
    [
      "not by another model's withdrawn one of its version",
      [image('1.0.0', { hwModel: 'fan', state: 'withdrawn' })],
      false
    ],
    ['not where it runs one without a signature', [image('1.0.0')], false]
  ])('%s', (_name, images, expected) => {
    expect(isOutdated(board, images, trust)).toBe(expected)
  })
})
