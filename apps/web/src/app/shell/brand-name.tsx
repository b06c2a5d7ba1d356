import { useServices } from '#web/lib/services.ts'
import { BrandMark } from './brand-mark.tsx'

/** The brand's sign and name, as they stand at the head of a page. */
export function BrandName() {
  const { brand } = useServices()
  return (
    <>
      <BrandMark brand={brand} />
      <span className="truncate">{brand.name}</span>
    </>
  )
}
