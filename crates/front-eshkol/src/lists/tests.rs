//! Which lists are known, and which are not.

use super::*;
use crate::tests::{core_of, var};
use oxbow_base::Span;

/// Whether `rules` is known, with a program around it that searches in it.
fn is_known(text: &str) -> bool {
    let program = core_of(&format!("{text} (display (assq 'a rules))")).reached();
    let rules = var(&program, "rules");
    let place = Core::new(CoreKind::Ref(rules), Span::new(program.vars[rules].span.file, 0, 0));
    lists(&program).is_alist(&place)
}

const RULES: &str =
    "(define rules '()) (define (add! k v) (set! rules (cons (list k v) rules))) (add! 'a 1)";

#[test]
fn lists_of_pairs_are_known() {
    let texts = [
        "",
        "(define (put! k v) (let ((e (assq k rules))) (if e (set-cdr! e v) (add! k v)))) (put! 'b 2)",
        "(display rules) (define v (vector rules)) (display (vector-ref v 0))",
        "(for-each (lambda (it) (display (cdr it))) rules)",
        "(define other (list 1 2)) (set-car! other 3) (set-cdr! (cdr other) 4)",
        "(set! rules (cdr rules))",
        "(guard (e (#t (display e))) (error \"no\" rules))",
    ];
    for text in texts {
        assert!(is_known(&format!("{RULES} {text}")), "{text}");
    }
    assert!(is_known(
        "(define (grow n l) (if (= n 0) l (grow (- n 1) (cons (cons n n) l)))) (define rules (grow 3 '()))"
    ));
}

#[test]
fn what_may_be_something_else_is_not() {
    let texts = [
        "(set! rules 5)",
        "(set! rules (cons 'a rules))",
        "(set! rules (cons (cons 1 2) 3))",
        "(set! rules (cons '() rules))",
        "(set-car! rules 1)",
        "(set-cdr! rules 1)",
        "(let ((l rules)) (set-car! l 1))",
        "(let loop ((l rules)) (if (pair? l) (begin (set-car! l 1) (loop (cdr l)))))",
        "(define v (vector rules)) (set-car! (vector-ref v 0) 1)",
        "(define b (box rules)) (set-cdr! (unbox b) 1)",
        "(define t (make-equal-hash-table)) (hash-table-set! t 1 rules) (set-car! (hash-table-ref/default t 1 0) 1)",
        "(for-each (lambda (l) (set-car! l 1)) (list rules))",
        "(define (spoil l) (set-car! l 1)) (for-each spoil (list rules))",
        "(define (spoil l) (set-car! l 1)) (spoil rules)",
        "(define (spoil . all) (set-car! (car all) 1)) (spoil rules)",
        "(define spoil (lambda (l) (set-car! l 1))) (define again spoil) (again rules)",
        "(define spoil (case-lambda ((l) (set-car! l 1)) ((l x) (set-car! l x)))) (spoil rules)",
        "(apply set-car! (list rules 1))",
        "(for-each set-car! (list rules) '(1))",
        "(guard (e (#t (set-car! (car (error-object-irritants e)) 1))) (error \"no\" rules))",
        "(guard (e (#t (set-car! e 1))) (raise rules))",
        "(define keep (cons rules 1)) (set-cdr! (car keep) 1)",
        "(define keep (list 1 2)) (set-car! keep rules) (set-car! (car keep) 1)",
        "(define (id x) x) (set! rules (id 3))",
        "(define (give) rules) (set-car! (give) 1)",
        "(define f (lambda () rules)) (define g (list f)) (set-car! ((car g)) 1)",
        "(set! rules (vector-ref (vector 1) 0))",
        "(set! rules (append rules '(1)))",
        "(set! rules '((a . 1) b))",
        "(set! rules '((a . 1) ()))",
        "(set! rules '((a . 1) . b))",
        "(set! rules '#0=((a . 1) . #0#))",
        "(set! rules '((a . 1))) (set-car! '((a . 1)) 1)",
        "(set! rules '((a . 1))) (define v '#(((a . 1)))) (set-car! (vector-ref v 0) 1)",
        "(set! rules '((a . 1))) (define v '(x ((a . 1)))) (set-car! (cadr v) 1)",
        "(set! rules '(((a . 1)))) (set-car! (car '(((a . 1)))) 1)",
        "(call-with-values (lambda () (values rules 1)) (lambda (l x) (set-car! l x)))",
        "(define-record-type r (make-r a) r? (a r-a)) (set-car! (r-a (make-r rules)) 1)",
        "(define p (delay rules)) (set-car! (force p) 1)",
        "(define p (make-parameter rules)) (set-car! (p) 1)",
        "(define p (make-parameter #f)) (parameterize ((p rules)) (set-car! (p) 1))",
        "(set-car! (list-tail rules 0) 1)",
        "(list-set! rules 0 1)",
        "(set-car! (memq 'x rules) 1)",
        "(set-car! (call/cc (lambda (k) (k rules))) 1)",
        "(set-car! (or #f rules) 1)",
        "(set-car! (and #t rules) 1)",
        "(set-car! (begin 1 rules) 1)",
        "(set-car! (if (pair? rules) rules 1) 1)",
        "(set-car! (cond ((pair? rules) => (lambda (x) rules)) (else 1)) 1)",
        "(set-car! (case 1 ((1) rules) (else 2)) 1)",
        "(define other rules) (set! other (cdr rules)) (set-car! other 1)",
        "(do ((l rules (cdr l))) ((null? l)) (set-car! l 1))",
        "(with-exception-handler (lambda (e) (set-car! e 1)) (lambda () (raise-continuable rules)))",
        "(dynamic-wind (lambda () 1) (lambda () (set-car! rules 1)) (lambda () 1))",
    ];
    for text in texts {
        assert!(!is_known(&format!("{RULES} {text}")), "{text}");
    }
}

/// What is known of each step of a path from `it`.
fn steps(text: &str, path: &str) -> Vec<bool> {
    let program = core_of(&format!("{text} (display (cdr it))")).reached();
    let it = var(&program, "it");
    let place = Core::new(CoreKind::Ref(it), Span::new(program.vars[it].span.file, 0, 0));
    lists(&program).known_steps(&place, &super::path(path).expect("a path"))
}

#[test]
fn steps_of_paths() {
    assert_eq!(steps("(define it (cons 1 2))", "cdr"), [true]);
    assert_eq!(steps("(define it (cons 1 2)) (set! it 3)", "cdr"), [false]);
    assert_eq!(steps("(define it (cons (cons 1 2) '()))", "caar"), [true, true]);
    assert_eq!(steps("(define it (cons (cons 1 2) '()))", "cadr"), [true, false]);
    let rules = "(define it '()) (define (add! k v) (set! it (cons (cons k v) it))) (add! 1 2)";
    assert_eq!(steps(rules, "caar"), [false, true]);
    assert_eq!(steps(&format!("{rules} (set-car! it 1)"), "caar"), [false, false]);
    assert_eq!(steps("(define it (cons 1 2)) (set-cdr! it 3)", "cdr"), [true]);
    assert_eq!(steps("(define it (car (vector 1 2)))", "cdr"), [false]);
}

#[test]
fn a_list_in_an_error_of_a_search_has_escaped() {
    let spoil = "(guard (e (#t (set-car! (car (error-object-irritants e)) 1)))";
    assert!(!is_known(&format!("{RULES} {spoil} (assq 'a (cons 1 rules)))")));
    assert!(!is_known(&format!("{RULES} {spoil} (length (cons rules 1)))")));
}
