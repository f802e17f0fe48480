//! Strongly connected components (Tarjan), without recursion.

/// The components of a graph given by successor lists, each one after all those
/// that it points to. Members keep their order of index.
pub(crate) fn components<S: AsRef<[usize]>>(graph: &[S]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut index = vec![NEW; graph.len()];
    let mut low = vec![0; graph.len()];
    let mut on_stack = vec![false; graph.len()];
    let (mut stack, mut calls, mut result) = (Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for root in 0..graph.len() {
        if index[root] != NEW {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, next)) = calls.pop() {
            if next == 0 {
                index[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&succ) = graph[node].as_ref().get(next) {
                calls.push((node, next + 1));
                if index[succ] == NEW {
                    calls.push((succ, 0));
                } else if on_stack[succ] {
                    low[node] = low[node].min(index[succ]);
                }
                continue;
            }
            if low[node] == index[node] {
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
            if let Some(&(parent, _)) = calls.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn callees_come_first_and_cycles_stay_together() {
        let graph = [vec![1], vec![2, 3], vec![1], vec![], vec![0, 4]];
        assert_eq!(components(&graph), [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
