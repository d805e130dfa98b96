import { type ReactNode, useCallback, useRef } from 'react';
import { createPortal } from 'react-dom';

/** Holds everything that a session shows, its dialogs included. */
export const stage = document.createElement('div');

/**
 * Shows what belongs to a session, or takes it out of the document: it is then out of sight for everybody who uses the page, but
 * keeps its state, so that the same user can go on where the session ended.
 */
export function Stage({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const place = useRef({ title: document.title, scrollY: 0, focus: null as Element | null });
  const show = useCallback((holder: HTMLElement | null) => {
    holder?.append(stage);
    const { title, scrollY, focus } = place.current;
    document.title = title;
    window.scrollTo(0, scrollY);
    if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
    return () => {
      place.current = { title: document.title, scrollY: window.scrollY, focus: document.activeElement };
      document.title = 'Deal Signals';
      stage.remove();
    };
  }, []);
  return (
    <>
      {isShown && <div ref={show} />}
      {createPortal(children, stage)}
    </>
  );
}
