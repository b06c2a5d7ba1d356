/** Prints docs/user-guide/user-guide.md into apps/web/public/docs/user-guide.pdf, which the support page offers. */
import { buildUserGuide, guideFile } from '../e2e/src/media/user-guide.ts'

await buildUserGuide()
console.log(`Wrote ${guideFile}`)
