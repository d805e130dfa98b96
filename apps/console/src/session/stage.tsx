import { type ReactNode, useCallback, useRef } from 'react';
import { createPortal } from 'react-dom';

/** Contains everything that a session shows, including its dialogs. */
export const stage = document.createElement('div');

/**
 * Shows the content of a session, or removes it from the document. The content is then hidden from other users of the browser,
 * but keeps its state, so that the same user can continue.
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
