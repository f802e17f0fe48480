//! Strongly connected components of a graph of numbered nodes.

/// The components, each in the order of its numbers, and after those that its edges lead to. `edges` are the
/// nodes that each node leads to.
///
/// ```text
/// 0 -> 1, 2    1 -> 0    2 -> 2        [2], [0, 1]
/// ```
pub fn components<E: AsRef<[usize]>>(edges: &[E]) -> Vec<Vec<usize>> {
    const NONE: usize = usize::MAX;
    let n = edges.len();
    let (mut number, mut low, mut on_stack) = (vec![NONE; n], vec![0; n], vec![false; n]);
    let (mut stack, mut result, mut next) = (Vec::new(), Vec::new(), 0);
    for start in 0..n {
        if number[start] != NONE {
            continue;
        }
        // Each node with the number of its edges that have been followed.
        let mut work = vec![(start, 0)];
        while let Some((node, edge)) = work.last_mut() {
            let (node, at) = (*node, *edge);
            *edge += 1;
            if at == 0 {
                number[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&target) = edges[node].as_ref().get(at) {
                if number[target] == NONE {
                    work.push((target, 0));
                } else if on_stack[target] {
                    low[node] = low[node].min(number[target]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(member);
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                result.push(component);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn what_is_used_comes_first() {
        let edges = [vec![1], vec![2, 3], vec![1], vec![], vec![0, 4]];
        assert_eq!(components(&edges), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }

    #[test]
    fn nodes_without_edges_stay_in_order() {
        assert_eq!(
            components::<Vec<usize>>(&[vec![], vec![], vec![]]),
            [vec![0], vec![1], vec![2]]
        );
    }

    #[test]
    fn long_chains_need_no_stack() {
        let n = 200_000;
        let edges: Vec<Vec<usize>> = (0..n).map(|it| vec![(it + 1) % n]).collect();
        assert_eq!(components(&edges).len(), 1);
    }
}
