import { extendTailwindMerge } from 'tailwind-merge'

// Our own scales of styles/index.css: without them it would take `text-14` for a colour and drop it beside `text-ink`.
const merge = extendTailwindMerge({
  extend: {
    theme: { text: ['12', '14', '16', '20', '28', '40'], radius: ['card', 'control'], shadow: ['card', 'float'] }
  }
})

/** Joins class names; a later utility wins over an earlier one of the same kind. */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return merge(classes)
}
