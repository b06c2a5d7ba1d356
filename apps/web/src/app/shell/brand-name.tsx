import { useServices } from '#web/lib/services.ts'
import { BrandMark } from './brand-mark.tsx'

/** The brand's mark and name at the top of a page. */
export function BrandName() {
  const { brand } = useServices()
  return (
    <>
      <BrandMark brand={brand} />
      <span className="truncate">{brand.name}</span>
    </>
  )
}
