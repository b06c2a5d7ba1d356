import { createTailwindMerge } from 'tailwind-merge'

/**
 * The utilities of Tailwind that our components use, grouped by what they set: of one group the last one counts. The library's
 * own table knows all utilities and is 6 KB of the first page; a test compares the two for each pair of classes in our sources.
 */

type Value = string | ((value: string) => boolean)
type Group = (string | Record<string, Value[]>)[]

const any = (): boolean => true
/** `2`, `0.5`, `[1.5px]`; not a colour. */
const isLength = (value: string): boolean => /^(?:\d|\[\d)/.test(value)
/** `[11px]`, `[min(1.25rem,7vw)]`; our colours of text have names. */
const isArbitrary = (value: string): boolean => value.startsWith('[')
const isGradient = (value: string): boolean => /^\[[a-z-]+-gradient\(/.test(value)

/** Groups of one prefix and any value, from a list of prefixes: `p-2`, `gap-x-[3px]`. */
const byPrefix = (prefixes: string): Record<string, Group> =>
  Object.fromEntries(prefixes.split(' ').map((prefix) => [prefix, [{ [prefix]: [any] }]]))

/** The same, where the prefix alone is a class too: `rounded`, `rounded-card`. */
const byPrefixOrAlone = (prefixes: string): Record<string, Group> =>
  Object.fromEntries(prefixes.split(' ').map((prefix) => [prefix, [{ [prefix]: ['', any] }]]))

const sides = ['x', 'y', 't', 'r', 'b', 'l'] as const
const borders = ['border', ...sides.map((side) => `border-${side}`)]

const classGroups: Record<string, Group> = {
  ...byPrefix('p px py pt pr pb pl m mx my mt mr mb ml gap gap-x gap-y border-spacing'),
  ...byPrefix('scroll-m scroll-mx scroll-my scroll-mt scroll-mr scroll-mb scroll-ml'),
  ...byPrefix('scroll-p scroll-px scroll-py scroll-pt scroll-pr scroll-pb scroll-pl'),
  ...byPrefix('w h size min-w max-w min-h max-h basis aspect'),
  ...byPrefix('inset inset-x inset-y top right bottom left z order'),
  ...byPrefix('col-start col-end grid-cols grid-rows grid-flow auto-cols auto-rows'),
  ...byPrefix('items justify justify-items justify-self self place-content place-items place-self'),
  ...byPrefix('overflow overflow-x overflow-y overscroll overscroll-x overscroll-y touch select cursor pointer-events'),
  ...byPrefix('opacity fill accent leading tracking line-clamp align float list whitespace underline-offset'),
  ...byPrefix('duration ease animate scale rotate translate-x translate-y brightness'),
  ...byPrefixOrAlone('rounded rounded-t rounded-r rounded-b rounded-l grow shrink transition grayscale backdrop-blur'),
  display: 'block inline-block inline flex inline-flex grid inline-grid table contents hidden'.split(' '),
  position: ['static', 'relative', 'absolute', 'fixed', 'sticky'],
  visibility: ['visible', 'invisible', 'collapse'],
  'sr-only': ['sr-only', 'not-sr-only'],
  flex: [{ flex: [any] }],
  'flex-direction': [{ flex: ['row', 'row-reverse', 'col', 'col-reverse'] }],
  'flex-wrap': [{ flex: ['wrap', 'wrap-reverse', 'nowrap'] }],
  'col-span': [{ col: [any] }],
  'row-span': [{ row: [any] }],
  object: [{ object: ['contain', 'cover', 'fill', 'none', 'scale-down'] }],
  content: [{ content: [isArbitrary, 'none'] }],
  'align-content': [{ content: ['start', 'center', 'end', 'between', 'stretch'] }],
  resize: [{ resize: ['', 'none', 'x', 'y'] }],
  snap: [{ snap: ['x', 'y', 'both', 'none'] }],
  'snap-align': [{ snap: ['start', 'center', 'end'] }],
  'text-size': [{ text: ['12', '14', '16', '20', '28', '40', isArbitrary] }],
  'text-color': [{ text: [any] }],
  'text-align': [{ text: ['left', 'center', 'right', 'start', 'end'] }],
  'text-overflow': ['truncate', { text: ['ellipsis', 'clip'] }],
  'text-transform': ['uppercase', 'lowercase', 'capitalize', 'normal-case'],
  'text-decoration': ['underline', 'line-through', 'no-underline'],
  'decoration-style': [{ decoration: ['solid', 'dotted', 'dashed', 'wavy'] }],
  'decoration-thickness': [{ decoration: [isLength] }],
  'decoration-color': [{ decoration: [any] }],
  'font-weight': [{ font: ['normal', 'medium', 'semibold', 'bold'] }],
  'font-family': [{ font: [any] }],
  'figure-spacing': ['tabular-nums', 'proportional-nums'],
  break: [{ break: [any] }],
  'overflow-wrap': [{ wrap: ['anywhere', 'break-word', 'normal'] }],
  'bg-image': [{ bg: ['none', isGradient] }],
  'bg-color': [{ bg: [any] }],
  shadow: [{ shadow: ['', 'card', 'float', 'none', isArbitrary] }],
  'ring-width': [{ ring: ['', isLength] }],
  'ring-color': [{ ring: [any] }],
  'outline-width': [{ outline: ['', isLength] }],
  'outline-style': [{ outline: ['none', 'hidden', 'solid', 'dashed'] }],
  'outline-color': [{ outline: [any] }],
  'outline-offset': [{ 'outline-offset': [any] }],
  ...Object.fromEntries(borders.map((border) => [`${border}-width`, [{ [border]: ['', isLength] }]])),
  ...Object.fromEntries(borders.map((border) => [`${border}-color`, [{ [border]: [any] }]])),
  'border-style': [{ border: ['solid', 'dashed', 'dotted', 'none'] }],
  'border-collapse': [{ border: ['collapse', 'separate'] }],
  'divide-y': [{ 'divide-y': ['', isLength] }],
  'divide-color': [{ divide: [any] }],
  'stroke-width': [{ stroke: [isLength] }],
  'stroke-color': [{ stroke: [any] }],
  'table-layout': [{ table: ['auto', 'fixed'] }],
  translate: [{ translate: [any] }],
  'translate-none': ['translate-none']
}

/** The sides that `p-2` sets with all others, `px-2` with the one across. */
const coveredSides = (group: (side: string) => string): Record<string, string[]> => ({
  [group('')]: sides.map(group),
  [group('x')]: ['r', 'l'].map(group),
  [group('y')]: ['t', 'b'].map(group)
})

const conflictingClassGroups: Record<string, string[]> = {
  ...coveredSides((side) => `p${side}`),
  ...coveredSides((side) => `m${side}`),
  ...coveredSides((side) => `scroll-m${side}`),
  ...coveredSides((side) => `scroll-p${side}`),
  ...coveredSides((side) => `border${side && `-${side}`}-width`),
  ...coveredSides((side) => `border${side && `-${side}`}-color`),
  rounded: ['rounded-t', 'rounded-r', 'rounded-b', 'rounded-l'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  size: ['w', 'h'],
  gap: ['gap-x', 'gap-y'],
  overflow: ['overflow-x', 'overflow-y'],
  overscroll: ['overscroll-x', 'overscroll-y'],
  flex: ['basis', 'grow', 'shrink'],
  'line-clamp': ['display', 'overflow'],
  'text-size': ['leading'],
  translate: ['translate-x', 'translate-y', 'translate-none'],
  'translate-none': ['translate', 'translate-x', 'translate-y']
}

/** Drops of classes what a later one of the same group overrides. */
export const mergeClasses = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups,
  conflictingClassGroups,
  conflictingClassGroupModifiers: { 'text-size': ['leading'] },
  orderSensitiveModifiers: ['*', '**', 'after', 'before', 'file', 'marker', 'placeholder', 'selection']
}))
