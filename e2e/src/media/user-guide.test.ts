import { expect, it } from 'vitest'
import { guideStamps } from './user-guide.ts'

it('the PDF was built from the current text of the guide (else: node scripts/build-user-guide.ts)', async () => {
  const { wanted, built } = await guideStamps()
  expect(built).toBe(wanted)
})
