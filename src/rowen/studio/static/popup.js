/** Places a small toolbar beside what is selected. */

/** Between the selection and the toolbar, and around the toolbar, in pixels. */
const GAP = 8;

/**
 * Keep a toolbar beside the selection while it is shown.
 *
 * @param {HTMLElement} toolbar  inside of a positioned element
 * @param {() => DOMRect | null} boxOf  where the selection is in the window
 */
export function placeBeside(toolbar, boxOf) {
  const place = () => {
    if (toolbar.hidden) return;
    const box = boxOf();
    const around = toolbar.offsetParent?.getBoundingClientRect();
    const isSeen = box && around && box.bottom > around.top && box.top < around.bottom;
    toolbar.classList.toggle("placed", Boolean(isSeen));
    if (!isSeen) return;
    const { offsetWidth: width, offsetHeight: height } = toolbar;
    const below = box.bottom + GAP;
    const isBelow = below + height + GAP <= around.bottom;
    const top = isBelow ? below - around.top : Math.max(GAP, box.top - around.top - height - GAP);
    const left = (box.left + box.right) / 2 - around.left - width / 2;
    toolbar.style.top = `${top}px`;
    toolbar.style.left = `${Math.max(GAP, Math.min(left, around.width - width - GAP))}px`;
  };
  new MutationObserver(place).observe(toolbar, { attributes: true, attributeFilter: ["hidden"], childList: true });
  new ResizeObserver(place).observe(toolbar.offsetParent ?? toolbar.parentElement);
  return place;
}
